import { zh as shared } from '../../shared/words/zh.ts'
import app from './zh/app.json'
import inbox from './zh/inbox.json'
import ticket from './zh/ticket.json'
import tasks from './zh/tasks.json'
import review from './zh/review.json'
import terminal from './zh/terminal.json'
import newTask from './zh/newTask.json'
import hosts from './zh/hosts.json'
import settings from './zh/settings.json'
import palette from './zh/palette.json'
import tray from './zh/tray.json'
import errors from './zh/errors.json'
import hints from './zh/hints.json'
import sentences from './zh/sentences.json'
import welcome from './zh/welcome.json'
import common from './zh/common.json'

/** All texts in Chinese, by screen; first what the tray and notifications say too. */
export const zh = {
  ...shared,
  app,
  inbox,
  ticket,
  tasks,
  review,
  terminal,
  newTask,
  hosts,
  settings,
  palette,
  tray,
  errors,
  hints,
  sentences,
  welcome,
  common,
}

import { en as shared } from '../../shared/words/en.ts'
import app from './en/app.json'
import inbox from './en/inbox.json'
import ticket from './en/ticket.json'
import tasks from './en/tasks.json'
import review from './en/review.json'
import terminal from './en/terminal.json'
import newTask from './en/newTask.json'
import hosts from './en/hosts.json'
import settings from './en/settings.json'
import palette from './en/palette.json'
import tray from './en/tray.json'
import welcome from './en/welcome.json'
import common from './en/common.json'

/** All texts in English, by screen; first what the tray and notifications say too. */
export const en = {
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
  welcome,
  common,
}

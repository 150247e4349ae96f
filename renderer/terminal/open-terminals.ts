import { useSyncExternalStore } from 'react'
import type { WindowView } from '../../shared/ipc/terminal-calls.ts'
import { createListeners } from '../../shared/listeners.ts'

/** A window of a task that is seen apart from the agent's screen. */
export type ApartWindow = Pick<WindowView, 'key' | 'kind' | 'name'>

/** What a terminal shows: the agent's screen of a task, or one `window` of it apart. */
export interface TerminalOf {
  host: string
  taskId: string
  title: string
  window?: ApartWindow | undefined
}

/** A terminal that the person has opened and not closed. */
export interface OpenTerminal extends TerminalOf {
  key: string
  /** Where it is drawn; put into the page while it is shown. */
  element: HTMLElement
  /** Whether it was shown since the page was loaded; before that nothing is attached. */
  isBegun: boolean
  /** Something came while it was not shown. */
  hasNews: boolean
}

/** All open terminals, in the order of their tabs, and which of them is on the screen. */
export interface OpenTerminals {
  list: readonly OpenTerminal[]
  shown: string | undefined
  /** Which window of a task is chosen, by the key of the task's terminal; the agent's screen where there is none. */
  chosen: Readonly<Record<string, ApartWindow | undefined>>
}

/** Where the tabs are kept in the browser's storage, as JSON; read by restore-terminals.ts. */
export const REMEMBERED = 'handoff.terminals'
/** Each may hold megabytes of lines; the one that was opened first makes room. */
const MAX_TERMINALS = 8
const MAX_APART = 8

const watchers = createListeners()
let now: OpenTerminals = { list: [], shown: undefined, chosen: {} }

/** Names a terminal. */
export function terminalKey(host: string, id: string, window?: ApartWindow): string {
  return window === undefined ? `${host}/${id}` : `${host}/${id}#${window.key}`
}

function become(next: OpenTerminals): void {
  now = next
  // Windows are told by their host.
  const kept = next.list.filter(isTask).map(({ host, taskId: id, title }) => ({ host, taskId: id, title }))
  localStorage.setItem(REMEMBERED, JSON.stringify(kept))
  watchers.tell()
}

function change(key: string, changes: Partial<OpenTerminal>): void {
  become({ ...now, list: now.list.map((one) => (one.key === key ? { ...one, ...changes } : one)) })
}

function made(what: TerminalOf): OpenTerminal {
  const element = document.createElement('div')
  element.style.cssText = 'display: contents'
  const key = terminalKey(what.host, what.taskId, what.window)
  return { ...what, key, element, isBegun: false, hasNews: false }
}

/** Whether it is the terminal of a task itself, which has a tab among those of all tasks. */
export function isTask({ window }: OpenTerminal): boolean {
  return window === undefined
}

/** Whether a terminal belongs to the task of another one. */
export function isOfTask(task: string, one: OpenTerminal): boolean {
  return terminalKey(one.host, one.taskId) === task
}

/** So many as may be open. A window goes with its task. */
function bounded(list: OpenTerminal[]): OpenTerminal[] {
  const tasks = list.filter(isTask).slice(-MAX_TERMINALS)
  const apart = list
    .filter((one) => !isTask(one) && tasks.some(({ key }) => isOfTask(key, one)))
    .slice(-MAX_APART)
  return list.filter((one) => tasks.includes(one) || apart.includes(one))
}

function withTerminal(list: readonly OpenTerminal[], what: TerminalOf): OpenTerminal[] {
  const key = terminalKey(what.host, what.taskId, what.window)
  return list.some((one) => one.key === key) ? [...list] : [...list, made(what)]
}

/** Puts a terminal into the page, opening it where it is not; answers how to take it out again. */
export function showTerminal(what: TerminalOf, place: HTMLElement): () => void {
  const key = terminalKey(what.host, what.taskId, what.window)
  const list = bounded(withTerminal(withTerminal(now.list, { ...what, window: undefined }), what))
  const one = list.find((other) => other.key === key)
  if (one !== undefined) place.append(one.element)
  become({
    ...now,
    list: list.map((other) => (other.key === key ? { ...other, isBegun: true, hasNews: false } : other)),
    shown: key,
  })
  return () => {
    one?.element.remove()
    if (now.shown === key) become({ ...now, shown: undefined })
  }
}

/** From now on this window of a task is shown; the agent's screen without one. */
export function chooseWindow(task: string, window: ApartWindow | undefined): void {
  if (now.chosen[task]?.key !== window?.key) become({ ...now, chosen: { ...now.chosen, [task]: window } })
}

/** Lets go of the windows of a task that are not there any more; if one of them was chosen, the agent's screen is. */
export function keepWindows(task: string, keys: readonly string[]): void {
  const isGone = (window: ApartWindow | undefined) => window !== undefined && !keys.includes(window.key)
  if (isGone(now.chosen[task])) chooseWindow(task, undefined)
  const list = now.list.filter((one) => !(isOfTask(task, one) && isGone(one.window)))
  if (list.length < now.list.length) become({ ...now, list })
}

/** The task of a terminal has this title now. */
export function renameTerminal(key: string, title: string): void {
  if (now.list.some((one) => one.key === key && one.title !== title)) change(key, { title })
}

/** Closes the tab of a task and lets go of its terminal and its windows; answers the task beside it. */
export function closeTerminal(key: string): OpenTerminal | undefined {
  const at = now.list.filter(isTask).findIndex((one) => one.key === key)
  if (at < 0) return undefined
  const list = now.list.filter((one) => !isOfTask(key, one))
  become({ ...now, list, chosen: { ...now.chosen, [key]: undefined } })
  const tasks = list.filter(isTask)
  return tasks[Math.min(at, tasks.length - 1)]
}

/** Something came in a terminal. */
export function tellNews(key: string): void {
  if (now.shown !== key && now.list.some((one) => one.key === key && !one.hasNews))
    change(key, { hasNews: true })
}

/** The open terminals, followed. */
export function useOpenTerminals(): OpenTerminals {
  return useSyncExternalStore(watchers.add, () => now)
}

const endings = createListeners()
/** A window that is seen apart has ended, so that its task has other windows now. */
export const tellEnded = endings.tell
/** Hears of windows that ended; answers how to stop. */
export const onEnded = endings.add

/** Adds tabs that nothing is attached to yet, before those that are there. */
export function addTerminals(kept: readonly { host: string; taskId: string; title: string }[]): void {
  const known = new Set(now.list.map(({ key }) => key))
  const added = kept.map(made).filter(({ key }) => !known.has(key))
  now = { ...now, list: bounded([...added, ...now.list]) }
}

/** Closes a tab that is not shown. */
export function forgetTerminal(key: string): void {
  if (now.shown !== key) closeTerminal(key)
}

import { useSyncExternalStore } from 'react'
import { createListeners } from '../../shared/listeners.ts'

/** A terminal that the person has opened and not closed. */
export interface OpenTerminal {
  key: string
  host: string
  taskId: string
  title: string
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
}

/** Where the tabs are kept in the browser's storage, as JSON; read by restore-terminals.ts. */
export const REMEMBERED = 'handoff.terminals'
/** Each may hold megabytes of lines; the one that was opened first makes room. */
const MAX_TERMINALS = 8

const watchers = createListeners()
let now: OpenTerminals = { list: [], shown: undefined }

/** Names a terminal. */
export function terminalKey(host: string, id: string): string {
  return `${host}/${id}`
}

function become(next: OpenTerminals): void {
  now = next
  const kept = next.list.map(({ host, taskId: id, title }) => ({ host, taskId: id, title }))
  localStorage.setItem(REMEMBERED, JSON.stringify(kept))
  watchers.tell()
}

function change(key: string, changes: Partial<OpenTerminal>): void {
  become({ ...now, list: now.list.map((one) => (one.key === key ? { ...one, ...changes } : one)) })
}

function made(what: { host: string; taskId: string; title: string }): OpenTerminal {
  const element = document.createElement('div')
  element.style.cssText = 'display: contents'
  const key = terminalKey(what.host, what.taskId)
  return { ...what, key, element, isBegun: false, hasNews: false }
}

/** Puts a terminal into the page, opening it where it is not; answers how to take it out again. */
export function showTerminal(
  what: { host: string; taskId: string; title: string },
  place: HTMLElement,
): () => void {
  const key = terminalKey(what.host, what.taskId)
  if (!now.list.some((one) => one.key === key))
    become({ ...now, list: [...now.list, made(what)].slice(-MAX_TERMINALS) })
  const one = now.list.find((other) => other.key === key)
  if (one !== undefined) place.append(one.element)
  become({
    list: now.list.map((other) => (other.key === key ? { ...other, isBegun: true, hasNews: false } : other)),
    shown: key,
  })
  return () => {
    one?.element.remove()
    if (now.shown === key) become({ ...now, shown: undefined })
  }
}

/** The task of a terminal has this title now. */
export function renameTerminal(key: string, title: string): void {
  if (now.list.some((one) => one.key === key && one.title !== title)) change(key, { title })
}

/** Closes a tab and lets go of its terminal; answers the one beside it. */
export function closeTerminal(key: string): OpenTerminal | undefined {
  const at = now.list.findIndex((one) => one.key === key)
  if (at < 0) return undefined
  const list = now.list.filter((one) => one.key !== key)
  become({ ...now, list })
  return list[Math.min(at, list.length - 1)]
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

/** Adds tabs that nothing is attached to yet, before those that are there. */
export function addTerminals(kept: readonly { host: string; taskId: string; title: string }[]): void {
  const known = new Set(now.list.map(({ key }) => key))
  const added = kept.map(made).filter(({ key }) => !known.has(key))
  now = { ...now, list: [...added, ...now.list].slice(-MAX_TERMINALS) }
}

/** Closes a tab that is not shown. */
export function forgetTerminal(key: string): void {
  if (now.shown !== key) closeTerminal(key)
}

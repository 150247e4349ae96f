import type { DeskState } from '../../shared/ipc/desk-calls.ts'
import { languageFor } from '../../shared/ipc/language.ts'
import { askAhead, FIRST_WINDOW } from '../bridge/ahead.ts'
import { startBridge, subscribe } from '../bridge/bridge.ts'
import {
  createBrowserBridge,
  ticketOfAddress,
  type BrowserLink,
  type SignedOutWhy,
} from '../bridge/browser-bridge.ts'
import { deskNow, followDesk, loadDesk } from '../bridge/desk-store.ts'
import { createListeners } from '../../shared/listeners.ts'
import { speak } from '../i18n/i18n.ts'
import { followAppearance } from './appearance.ts'
import { currentRoute, navigate } from './navigation.ts'

/** How the window stands with its services. */
export type WindowState =
  | { kind: 'starting' }
  | { kind: 'ready' }
  /** Without `wasReady` there is nothing yet that could be shown. */
  | { kind: 'lost'; wasReady: boolean }
  | { kind: 'signed_out'; why: SignedOutWhy }

/** The window's connection with its services, for the app to follow. */
export interface WindowLink {
  state(): WindowState
  watch(watcher: () => void): () => void
  retry(): void
}

const RELOADED = 'handoff.reloaded'
const RELOAD_PAUSE_MS = 10_000

/** Connects with the services of whichever shell this is, and loads the desk. */
export function startWindow(): WindowLink {
  reloadAfterUpgrade()
  reloadForTicket()
  let state: WindowState = { kind: 'starting' }
  const changed = createListeners()
  const become = (next: WindowState) => {
    state = next
    changed.tell()
  }
  let following = false
  const load = async () => {
    // Both are asked at once: the first screen is drawn once, with its rows.
    const isInbox = !following && showsInbox(currentRoute())
    const [desk] = await Promise.all([
      loadDesk(),
      isInbox ? askAhead('inbox.window', FIRST_WINDOW) : undefined,
    ])
    await speak(languageFor(desk.settings.language, localeOf(desk)))
    if (!following) {
      following = true
      followAppearance()
      subscribe('settings.changed', ({ language }) => void speak(languageFor(language, localeOf(deskNow()))))
      if (currentRoute() === '/inbox' && desk.route !== undefined) navigate(desk.route, { replace: true })
    }
    become({ kind: 'ready' })
  }
  const lose = async () => {
    // It may be before anything else was said.
    if (!following) await speak(languageFor('system', navigator.language))
    become({ kind: 'lost', wasReady: following })
  }
  const tryLoad = () => void load().catch(lose)
  const onLink = (link: BrowserLink) => {
    if (link === 'open') tryLoad()
    if (link === 'lost' && state.kind !== 'starting') void lose()
    if (typeof link === 'object')
      void speak(languageFor('system', navigator.language)).then(() =>
        become({ kind: 'signed_out', why: link.signedOut }),
      )
  }
  const own = window.handoff
  const browser = own === undefined ? createBrowserBridge(onLink) : undefined
  const bridge = own ?? browser
  if (bridge === undefined) throw new Error('there is no way to the services')
  startBridge(bridge)
  followDesk()
  // From the first moment on: the shell may have a link to follow before the desk is loaded.
  subscribe('desk.navigate', ({ route }) => navigate(route))
  if (own !== undefined) tryLoad()
  return {
    state: () => state,
    watch: changed.add,
    retry() {
      browser?.retry()
      tryLoad()
    },
  }
}

/** A part of the window may be gone after an upgrade; the new page has its successor. */
function reloadAfterUpgrade(): void {
  const reload = () => {
    if (Math.abs(Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0)) < RELOAD_PAUSE_MS) return
    sessionStorage.setItem(RELOADED, String(Date.now()))
    location.reload()
  }
  window.addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    reload()
  })
  // A script of the page itself tells only itself; it is heard on the way down.
  const hear = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement) reload()
  }
  window.addEventListener('error', hear, { capture: true })
}

/** A new address that is put into a page of the same desk, as the page that is signed out asks for, does not load it by itself. */
function reloadForTicket(): void {
  window.addEventListener('hashchange', () => {
    if (ticketOfAddress() !== undefined) location.reload()
  })
}

function showsInbox(route: string): boolean {
  return route.startsWith('/inbox') || route.startsWith('/tray')
}

/** What the person's own system speaks: in a browser that is the browser's, since the services may run elsewhere. */
function localeOf({ shell, systemLocale }: DeskState): string {
  return shell === 'browser' ? navigator.language : systemLocale
}

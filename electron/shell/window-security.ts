import { BrowserWindow, type BrowserWindowConstructorOptions, type Session, type WebContents } from 'electron'
import { isAppUrl } from './app-url.ts'

/** What a page may ask the browser for without being asked back: to put text into the clipboard after a key or click. */
const GRANTED = new Set(['clipboard-sanitized-write'])

/**
 * Denies pages of this session every permission and device except writing text to the clipboard, and every download except of
 * what the page itself has made (the audit log), for which the system asks where to.
 */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, callback, details) => {
    callback(GRANTED.has(permission) && details.isMainFrame && isAppUrl(contents.getURL()))
  })
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => GRANTED.has(permission) && isAppUrl(origin),
  )
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item) => {
    if (!isOwnBlob(item.getURL())) event.preventDefault()
  })
}

/** `blob:` and then an address of the page that made it. */
function isOwnBlob(url: string): boolean {
  return url.startsWith('blob:') && isAppUrl(url.slice('blob:'.length))
}

/** A window without Node, in the sandbox, whose page can neither leave, nor open another, nor embed one. */
export function createLockedWindow(
  options: Omit<BrowserWindowConstructorOptions, 'webPreferences'>,
  {
    preload,
    session,
    onLink,
  }: { preload: string; session: Session; onLink: (url: string, from: BrowserWindow) => void },
): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    webPreferences: {
      preload,
      session,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
    },
  })
  lockContents(window.webContents, (url) => onLink(url, window))
  return window
}

/** Links are given to `onLink`, which opens what may be opened in the person's browser; the page itself stays. */
function lockContents(contents: WebContents, onLink: (url: string) => void): void {
  // A page that loads itself again, after an upgrade or a crash of one of its parts, goes nowhere else.
  const isReload = ({ isMainFrame, url }: { isMainFrame: boolean; url: string }) =>
    isMainFrame && isAppUrl(url)
  contents.on('will-navigate', (details) => {
    if (isReload(details)) return
    details.preventDefault()
    if (/^(https?|mailto):/i.test(details.url)) onLink(details.url)
  })
  contents.on('will-frame-navigate', (details) => {
    if (!isReload(details)) details.preventDefault()
  })
  contents.on('will-redirect', (details) => details.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (/^(https?|mailto):/i.test(url)) onLink(url)
    return { action: 'deny' }
  })
}

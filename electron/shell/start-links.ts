import { app } from 'electron'
import { linkAmong, LINK_SCHEME, readDeepLink } from './deep-links.ts'

/** What other starts of the app and other programs want. */
export interface Wishes {
  open(route?: string): void
  refused(): void
}

/**
 * Makes this the only desk on its home; undefined when another one runs, which then was told to come to the front and what link
 * to open. Wishes that come before `listen` are kept until then.
 */
export function claimSingleInstance(): { listen(wishes: Wishes): void } | undefined {
  if (!app.requestSingleInstanceLock()) return undefined
  let wishes: Wishes | undefined
  const early: ((wishes: Wishes) => void)[] = []
  const tell = (wish: (wishes: Wishes) => void): void => {
    if (wishes === undefined) early.push(wish)
    else wish(wishes)
  }
  const follow = (link: string): void => {
    const read = readDeepLink(link)
    tell((to) => (read.kind === 'open' ? to.open(read.route) : to.refused()))
  }
  app.on('second-instance', (_event, argv) => {
    const link = linkAmong(argv)
    if (link === undefined) tell((to) => to.open())
    else follow(link)
  })
  // macOS gives links this way, at a start even before the app is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    follow(url)
  })
  app.on('activate', () => tell((to) => to.open()))
  const link = linkAmong(process.argv)
  if (link !== undefined) follow(link)
  return {
    listen(to) {
      wishes = to
      for (const wish of early.splice(0)) wish(to)
    },
  }
}

/** Tells the system that this app opens `handoff://` links. An app in development names itself and its script. */
export function registerLinks(script: string): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  else if (process.platform === 'win32')
    app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, [script])
}

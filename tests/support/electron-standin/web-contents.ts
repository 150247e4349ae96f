import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { app } from './app.ts'
import { createCodec } from './codec.ts'
import { createEvent } from './event.ts'
import { serveInvoke } from './ipc-main.ts'
import { openPage, type Page } from './page.ts'
import { schemes, theChromium } from './platform-state.ts'
import type { Session } from './session.ts'

const codec = createCodec()
let lastId = 0

/** The page of a window. Everything asked of it before Chromium has opened it waits in line. */
export class WebContents extends EventEmitter {
  readonly id = (lastId += 1)
  readonly session: Session
  /** Rejected never: a page that could not be opened crashed. */
  readonly page: Promise<Page>
  #url = ''
  #isCrashed = false
  #isDestroyed = false
  #current: Page | undefined
  #seen = { focused: false, visible: false }
  #openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })

  constructor(options: { width: number; height: number; preload?: string; session: Session }) {
    super()
    this.session = options.session
    const preload = options.preload === undefined ? '' : readFileSync(options.preload, 'utf8')
    this.page = theChromium().then(async (chromium) => {
      const page = await openPage(chromium, { ...options, preload }, this.#listener())
      this.#current = page
      return page
    })
  }

  #listener(): Parameters<typeof openPage>[2] {
    return {
      onInvoke: (message, contextId) => void this.#invoke(message, contextId),
      mayNavigate: (address, isMainFrame) => this.#mayNavigate(schemes.inward(address), isMainFrame),
      onNavigated: (address, isSameDocument) => {
        this.#url = schemes.inward(address)
        const details = { url: this.#url, isMainFrame: true, isSameDocument }
        this.emit('did-start-navigation', createEvent(details))
        if (isSameDocument) this.emit('did-navigate-in-page', createEvent({}), this.#url, true)
        else this.emit('did-navigate', createEvent({}), this.#url)
      },
      onLoaded: () => {
        this.#isCrashed = false
        this.setSeen(this.#seen)
        this.emit('dom-ready', createEvent({}))
        this.emit('did-finish-load')
      },
      onCrashed: () => {
        this.#isCrashed = true
        const details = { reason: 'crashed', exitCode: 139 }
        this.emit('render-process-gone', createEvent({}), details)
        app.emit('render-process-gone', createEvent({}), this, details)
      },
      onWindowOpen: (address) => void this.#openHandler({ url: schemes.inward(address) }),
      onTitle: (title) => this.emit('page-title-updated', createEvent({}), title, true),
    }
  }

  async #invoke(
    message: { id?: number; channel: string; args: unknown[] },
    contextId: number,
  ): Promise<void> {
    const answer = await this.invokeFrom({ url: this.#url, parent: null }, message.channel, message.args)
    if (message.id !== undefined)
      (await this.page).deliver(JSON.stringify({ id: message.id, ...answer }), contextId)
  }

  /** A call as if from a frame; how tests play a frame that is not ours. */
  invokeFrom(
    frame: { url: string; parent: object | null } | null,
    channel: string,
    args: unknown[],
  ): Promise<{ v?: unknown; e?: string }> {
    const event = createEvent({ sender: this, senderFrame: frame, frameId: 1, processId: 1, type: 'frame' })
    return serveInvoke(channel, event, args)
  }

  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    const details = createEvent({ url, isMainFrame, isSameDocument: false })
    this.emit('will-frame-navigate', details)
    if (isMainFrame) this.emit('will-navigate', details)
    return !details.defaultPrevented
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page
    if (this.#isDestroyed) return
    try {
      await page.load(schemes.outward(url))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.emit('did-fail-load', createEvent({}), -2, why, url, true)
      throw error
    }
  }
  /** Lets the page know whether it is seen and has the keyboard; Chromium without a screen (and Playwright) say it always has. */
  setSeen(seen: { focused: boolean; visible: boolean }): void {
    this.#seen = seen
    const expression = `(${becomeSeen.toString()})(${JSON.stringify(seen)})`
    void this.page.then((page) => page.send('Runtime.evaluate', { expression })).catch(() => undefined)
  }
  reload(): void {
    this.loadURL(this.#url === '' ? 'about:blank' : this.#url).catch(() => undefined)
  }
  send(channel: string, ...args: unknown[]): void {
    // Throws here, as Electron does, for what cannot be cloned.
    const text = JSON.stringify({ channel, args: args.map(codec.encode) })
    this.#current?.deliver(text)
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#openHandler = handler
  }
  navigationHistory = {
    goBack: (): void => void this.#step(-1),
    goForward: (): void => void this.#step(1),
  }
  async #step(by: number): Promise<void> {
    const page = await this.page
    const history = await page.send<{ currentIndex: number; entries: { id: number }[] }>(
      'Page.getNavigationHistory',
    )
    const entry = history.entries[history.currentIndex + by]
    if (entry !== undefined) await page.send('Page.navigateToHistoryEntry', { entryId: entry.id })
  }
  getURL = (): string => this.#url
  isDestroyed = (): boolean => this.#isDestroyed
  isCrashed = (): boolean => this.#isCrashed
  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    void this.page.then((page) => page.close())
    this.emit('destroyed')
  }
}

/** Runs in the page. */
function becomeSeen({ focused, visible }: { focused: boolean; visible: boolean }): void {
  const hadFocus = document.hasFocus()
  const wasVisible = document.visibilityState === 'visible'
  const state = visible ? 'visible' : 'hidden'
  Object.defineProperty(document, 'hasFocus', { value: () => focused, configurable: true })
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  Object.defineProperty(document, 'hidden', { value: !visible, configurable: true })
  if (wasVisible !== visible) document.dispatchEvent(new Event('visibilitychange'))
  if (hadFocus !== focused) window.dispatchEvent(new Event(focused ? 'focus' : 'blur'))
}

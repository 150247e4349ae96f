import { EventEmitter } from 'node:events'
import { app, windowsAtQuit } from './app.ts'
import { createEvent } from './event.ts'
import { session, type Session } from './session.ts'
import { WebContents } from './web-contents.ts'

/** Where a window is, in screen pixels. */
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}
interface Options extends Partial<Rectangle> {
  show?: boolean
  title?: string
  webPreferences?: { preload?: string; session?: Session } & Record<string, unknown>
}

const all: BrowserWindow[] = []

/** A window: a page in Chromium, and what a window manager would know about it. */
export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return [...all]
  }
  readonly webContents: WebContents
  readonly options: Options
  overlay: string | undefined
  #bounds: Rectangle
  #is = { visible: false, focused: false, minimised: false, maximised: false, destroyed: false }

  constructor(options: Options = {}) {
    super()
    this.options = options
    const { width = 800, height = 600, x = 0, y = 0, webPreferences = {} } = options
    this.#bounds = { x, y, width, height }
    this.webContents = new WebContents({
      width,
      height,
      session: webPreferences.session ?? session.defaultSession,
      ...(webPreferences.preload === undefined ? {} : { preload: webPreferences.preload }),
    })
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
    all.push(this)
    if (options.show !== false) this.show()
  }
  get id(): number {
    return this.webContents.id
  }
  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }
  show(): void {
    this.#is.minimised = false
    if (!this.#is.visible) {
      this.#is.visible = true
      this.#tellPage()
      this.emit('show')
    }
    this.focus()
  }
  hide(): void {
    if (!this.#is.visible) return
    this.blur()
    this.#is.visible = false
    this.#tellPage()
    this.emit('hide')
  }
  focus(): void {
    if (this.#is.focused || !this.#is.visible) return
    for (const other of all) if (other !== this) other.blur()
    this.#is.focused = true
    this.#tellPage()
    this.emit('focus')
  }
  blur(): void {
    if (!this.#is.focused) return
    this.#is.focused = false
    this.#tellPage()
    this.emit('blur')
  }
  #tellPage(): void {
    this.webContents.setSeen({ focused: this.#is.focused, visible: this.#is.visible && !this.#is.minimised })
  }
  minimize(): void {
    this.blur()
    this.#is.minimised = true
    this.#tellPage()
    this.emit('minimize')
  }
  restore(): void {
    this.#is.minimised = false
    this.emit('restore')
  }
  maximize(): void {
    this.#is.maximised = true
    this.emit('maximize')
  }
  unmaximize(): void {
    this.#is.maximised = false
    this.emit('unmaximize')
  }
  setBounds(bounds: Partial<Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds }
    const { width, height } = this.#bounds
    void this.webContents.page
      .then((page) =>
        page.send('Emulation.setDeviceMetricsOverride', {
          width,
          height,
          deviceScaleFactor: 0,
          mobile: false,
        }),
      )
      .catch(() => undefined)
    this.emit('resize')
    this.emit('move')
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }
  setOverlayIcon(_image: unknown, description: string): void {
    this.overlay = description
  }
  getBounds = (): Rectangle => ({ ...this.#bounds })
  getNormalBounds = (): Rectangle => ({ ...this.#bounds })
  isVisible = (): boolean => this.#is.visible
  isFocused = (): boolean => this.#is.focused
  isMinimized = (): boolean => this.#is.minimised
  isMaximized = (): boolean => this.#is.maximised
  isDestroyed = (): boolean => this.#is.destroyed

  /** What the person's click on the close button does. */
  close(): void {
    if (this.#is.destroyed) return
    const event = createEvent({})
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }
  destroy(): void {
    if (this.#is.destroyed) return
    this.#is = { ...this.#is, destroyed: true, visible: false, focused: false }
    all.splice(all.indexOf(this), 1)
    this.webContents.destroy()
    this.emit('closed')
    if (all.length === 0) app.windowAllClosed()
  }
}

windowsAtQuit.close = () => {
  for (const window of [...all]) window.close()
  return all.length === 0
}

import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { createEvent } from './event.ts'
import { standInSettings } from './settings.ts'

interface ItemTemplate {
  label?: string
  type?: string
  role?: string
  enabled?: boolean
  accelerator?: string
  click?: (item: object, window: undefined, event: object) => void
  submenu?: ItemTemplate[] | Menu
}

/** A menu that is recorded. */
export class Menu {
  static application: Menu | null = null
  static buildFromTemplate(template: ItemTemplate[]): Menu {
    return new Menu(template)
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.application = menu
  }
  readonly items: (ItemTemplate & { submenu?: Menu })[]
  constructor(template: ItemTemplate[] = []) {
    this.items = template.map(({ submenu, ...item }) => ({
      ...item,
      ...(submenu === undefined ? {} : { submenu: submenu instanceof Menu ? submenu : new Menu(submenu) }),
    }))
  }
  /** What a person reads, nested. */
  read(): unknown[] {
    return this.items.map((item) =>
      item.type === 'separator'
        ? '—'
        : {
            label: item.label ?? item.role,
            ...(item.enabled === false ? { enabled: false } : {}),
            ...(item.submenu === undefined ? {} : { submenu: item.submenu.read() }),
          },
    )
  }
  /** Clicks the item that labels lead to. */
  click([label, ...rest]: string[]): void {
    const item = this.items.find((candidate) => candidate.label === label)
    if (item === undefined) throw new Error(`The menu has no “${label}”: ${JSON.stringify(this.read())}`)
    if (rest.length > 0 && item.submenu !== undefined) item.submenu.click(rest)
    else if (item.enabled === false) throw new Error(`“${label}” cannot be clicked.`)
    else item.click?.(item, undefined, {})
  }
}

/** An image that is known by its file. */
export class NativeImage {
  readonly file: string
  isTemplate = false
  constructor(file: string) {
    this.file = file
  }
  isEmpty = (): boolean => !existsSync(this.file)
  setTemplateImage(on: boolean): void {
    this.isTemplate = on
  }
}
export const nativeImage = { createFromPath: (file: string) => new NativeImage(file) }

const ICON_PLACE = { x: 900, y: 0, width: 24, height: 24 }

/** An icon beside the clock that is recorded. */
export class Tray extends EventEmitter {
  static current: Tray | undefined
  image: NativeImage
  title = ''
  toolTip = ''
  menu: Menu | undefined
  /** The menu that was opened by code rather than by the desktop. */
  poppedUp: Menu | undefined
  isGone = false
  constructor(image: NativeImage) {
    super()
    this.image = image
    Tray.current = this
  }
  setImage(image: NativeImage): void {
    this.image = image
  }
  setTitle(title: string): void {
    this.title = title
  }
  setToolTip(text: string): void {
    this.toolTip = text
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu ?? undefined
  }
  popUpContextMenu(menu?: Menu): void {
    this.poppedUp = menu
  }
  getBounds = (): typeof ICON_PLACE => ICON_PLACE
  destroy(): void {
    this.isGone = true
  }
  isDestroyed = (): boolean => this.isGone
}

/** A notification that is recorded. */
export class Notification extends EventEmitter {
  static shown: Notification[] = []
  static isSupported(): boolean {
    return true
  }
  readonly options: Record<string, unknown>
  state: 'made' | 'shown' | 'closed' | 'failed' = 'made'
  constructor(options: Record<string, unknown> = {}) {
    super()
    this.options = options
  }
  show(): void {
    this.state = 'shown'
    Notification.shown.push(this)
    queueMicrotask(() => this.emit('show', createEvent({})))
  }
  close(): void {
    if (this.state !== 'shown') return
    this.state = 'closed'
    this.emit('close', createEvent({ reason: 'applicationHidden' }))
  }
  /** What the system does when it finds later that it cannot show it. */
  fail(why: string): void {
    this.state = 'failed'
    this.emit('failed', createEvent({}), why)
  }
}

const shortcuts = new Map<string, () => void>()
/** Shortcuts that other programs have. */
export const takenElsewhere = new Set<string>()
export const globalShortcut = {
  register(accelerator: string, press: () => void): boolean {
    if (!/^[A-Za-z0-9]+(\+[A-Za-z0-9]+)*$/.test(accelerator)) throw new TypeError('conversion failure')
    if (shortcuts.has(accelerator) || takenElsewhere.has(accelerator)) return false
    shortcuts.set(accelerator, press)
    return true
  },
  unregister: (accelerator: string) => void shortcuts.delete(accelerator),
  unregisterAll: () => shortcuts.clear(),
  isRegistered: (accelerator: string) => shortcuts.has(accelerator),
  /** For tests. */
  registered: shortcuts,
}

export const powerMonitor = new EventEmitter()

/** Addresses and files that were given to the system to open. */
export const opened: { urls: string[]; paths: string[] } = { urls: [], paths: [] }
export const shell = {
  openExternal(url: string): Promise<void> {
    opened.urls.push(url)
    return Promise.resolve()
  },
  openPath(file: string): Promise<string> {
    opened.paths.push(file)
    return Promise.resolve('')
  },
}

/** Folders that the next dialogs answer with. */
export const chosenFolders: string[] = []
export const dialog = {
  showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    const folder = chosenFolders.shift()
    return Promise.resolve({
      canceled: folder === undefined,
      filePaths: folder === undefined ? [] : [folder],
    })
  },
  showErrorBox(title: string, text: string): void {
    process.stderr.write(`error box: ${title}: ${text}\n`)
  },
}

const display = {
  id: 1,
  scaleFactor: 1,
  bounds: { x: 0, y: 0, width: 1440, height: 900 },
  workArea: { x: 0, y: 25, width: 1440, height: 875 },
}
export const screen = {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayNearestPoint: () => display,
}

const MARK = 'standin:'
export const safeStorage = {
  isEncryptionAvailable: (): boolean => standInSettings().hasKeyStore ?? true,
  getSelectedStorageBackend: (): string => 'gnome_libsecret',
  // Not encryption: only a form in which a secret is not found by looking for it.
  encryptString: (text: string): Buffer =>
    Buffer.from(MARK + text, 'utf8').map((byte) => byte ^ 0x5a) as Buffer,
  decryptString(bytes: Buffer): string {
    const text = Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString('utf8')
    if (!text.startsWith(MARK)) throw new Error('Error while decrypting the ciphertext provided.')
    return text.slice(MARK.length)
  },
}

export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
})
export const net = { isOnline: () => true }

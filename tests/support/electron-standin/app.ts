import { EventEmitter } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createEvent } from './event.ts'
import { standInSettings } from './settings.ts'

/** What the app told the system, for tests to read. */
export const told = {
  badge: 0,
  loginItem: undefined as unknown,
  protocolClients: [] as string[],
  about: {} as Record<string, unknown>,
  aboutShown: 0,
  errors: [] as string[],
}

/** What runs when the app ends, before the process does. */
export const atQuit: (() => Promise<void> | void)[] = []
/** Closes every window; false when one of them refused. */
export const windowsAtQuit = { close: (): boolean => true }

const paths = new Map<string, string>()

class App extends EventEmitter {
  name = 'electron'
  isPackaged = standInSettings().isPackaged ?? false
  #becomeReady: () => void = () => undefined
  #whenReady = new Promise<void>((resolve) => (this.#becomeReady = resolve))
  #isReady = false
  #isQuitting = false

  constructor() {
    super()
    // What the module graph does synchronously comes before `ready`.
    setTimeout(() => {
      this.#isReady = true
      this.emit('will-finish-launching')
      this.emit('ready', createEvent({}), {})
      this.#becomeReady()
    }, 0)
  }
  whenReady = (): Promise<void> => this.#whenReady
  isReady = (): boolean => this.#isReady
  getName = (): string => this.name
  setName(name: string): void {
    this.name = name
  }
  getVersion = (): string => '0.0.0'
  getAppPath = (): string => process.cwd()
  getLocale = (): string => standInSettings().locale ?? 'en-US'
  getPreferredSystemLanguages = (): string[] => [this.getLocale()]
  getPath(name: string): string {
    return paths.get(name) ?? path.join(os.tmpdir(), 'electron-standin', name)
  }
  setPath(name: string, folder: string): void {
    readdirSync(folder)
    paths.set(name, folder)
  }
  setAppUserModelId(): void {
    // Nothing to show it.
  }

  /** The lock is a folder that one process can make; others leave their arguments in it. */
  requestSingleInstanceLock(data: unknown = {}): boolean {
    const folder = path.join(this.getPath('userData'), 'standin-lock')
    const owner = ownerOf(folder)
    if (owner !== undefined && owner !== process.pid) {
      const note = path.join(folder, `${process.pid}.note`)
      writeFileSync(`${note}.tmp`, JSON.stringify({ argv: process.argv, cwd: process.cwd(), data }))
      renameSync(`${note}.tmp`, note)
      return false
    }
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'owner'), String(process.pid))
    const notes = watch(folder, () => this.#readNotes(folder))
    atQuit.push(() => {
      notes.close()
      rmSync(folder, { recursive: true, force: true })
    })
    return true
  }

  #readNotes(folder: string): void {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.note'))) {
      const file = path.join(folder, name)
      const note = JSON.parse(readFileSync(file, 'utf8')) as { argv: string[]; cwd: string; data: unknown }
      rmSync(file)
      this.emit('second-instance', createEvent({}), note.argv, note.cwd, note.data)
    }
  }

  quit(): void {
    if (this.#isQuitting) return
    const before = createEvent({})
    this.emit('before-quit', before)
    if (before.defaultPrevented) return
    if (!windowsAtQuit.close()) return
    const will = createEvent({})
    this.emit('will-quit', will)
    if (will.defaultPrevented) return
    this.emit('quit', createEvent({}), 0)
    this.exit(0)
  }
  exit(code = 0): void {
    if (this.#isQuitting) return
    this.#isQuitting = true
    void Promise.all(atQuit.map((end) => end())).finally(() => process.exit(code))
  }
  windowAllClosed(): void {
    if (this.#isQuitting) return
    if (this.listenerCount('window-all-closed') === 0) this.quit()
    else this.emit('window-all-closed')
  }

  setBadgeCount(count = 0): boolean {
    told.badge = count
    return true
  }
  getBadgeCount = (): number => told.badge
  setLoginItemSettings(settings: unknown): void {
    told.loginItem = settings
  }
  getLoginItemSettings = (): { wasOpenedAtLogin: boolean } => ({ wasOpenedAtLogin: false })
  setAsDefaultProtocolClient(scheme: string): boolean {
    told.protocolClients.push(scheme)
    return true
  }
  setAboutPanelOptions(options: Record<string, unknown>): void {
    told.about = options
  }
  showAboutPanel(): void {
    told.aboutShown += 1
  }
}

function ownerOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(folder, 'owner'), 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    // No folder, or its owner is no more.
    return undefined
  }
}

export const app = new App()

import type { Notifier } from './attention/types.ts'
import type { SecretBox } from './hosts/types.ts'
import type { ForkPtyHost } from './terminals/types.ts'

/** What differs between the two shells; everything else is the same services. */
export interface DeskPlatform {
  shell: 'electron' | 'browser'
  systemLocale: string
  secrets: SecretBox
  notifier: Notifier
  forkPtyHost: ForkPtyHost
  /** Opens a page or a file in the person's own program; answers why not. */
  openExternal(url: string): Promise<void>
  openPath(path: string): Promise<{ opened: boolean; why?: string }>
  /** Brings the main window to the front at a route; the browser shell has none and leaves it to the page. */
  openWindow?: ((route: string) => void) | undefined
  pickFolder: (() => Promise<string | undefined>) | undefined
  launchAtLogin: ((on: boolean) => void) | undefined
  globalShortcut: ((accelerator: string) => { ok: boolean }) | undefined
  /** Sessions of the browser shell. */
  sessions:
    | {
        list(
          current: string,
        ): { id: string; createdAt: number; lastSeenAt: number; agent: string; current: boolean }[]
        revoke(id: string): boolean
      }
    | undefined
}

/** Where the programs of this installation lie, so that the desk can start and install them. */
export interface Installation {
  /** Node that runs agentd and the command; not Electron's. */
  node: string
  /** Folder with cli.js, agentd.js, pane.js and what they load. */
  dist: string
  /** `bin/handoff`. */
  command: string
  version: string
}

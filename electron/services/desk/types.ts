import type { IpcAnswer, IpcCaller, IpcEvent, IpcEventName } from '../../../shared/ipc.ts'
import type { Home } from '../../../shared/node/home.ts'
import type { Attention } from '../attention/types.ts'
import type { DeskPlatform, Installation } from '../platform.ts'
import type { SettingsService } from '../settings/types.ts'

/** An event for windows; without `windowId` it is for all of them. */
export type DeskEvent = {
  [N in IpcEventName]: { name: N; payload: IpcEvent<N>; windowId?: string | undefined }
}[IpcEventName]

/** All services, wired: what both shells stand on. */
export interface Desk {
  /** Checks name, input and output, and always answers; never rejects. The sender was checked by the shell. */
  call(request: unknown, caller: IpcCaller): Promise<IpcAnswer>
  onEvent(listener: (event: DeskEvent) => void): () => void
  attention(): Attention
  onAttention(listener: (attention: Attention) => void): () => void
  /** A click in the tray menu or a notification. Dangerous approvals are refused here; they need the window. */
  act(what: {
    host: string
    ticketId: string
    /** `askDigest` of what was shown there; when something else is asked by now, it is refused with `wrong_answer`. */
    seen: string
    action:
      | { kind: 'approve' }
      | { kind: 'deny'; message?: string }
      | { kind: 'option'; label: string }
      | { kind: 'text'; text: string }
  }): Promise<void>
  /** Where a window should begin when it opens. */
  openAt(route: string): void
  settings: SettingsService
  /** After sleep or a network change. */
  wake(): void
  windowClosed(windowId: string): void
  dispose(): Promise<void>
}

/** What a shell gives. */
export interface DeskNeeds {
  home: Home
  environment: NodeJS.ProcessEnv
  platform: DeskPlatform
  installation: Installation
}

import type { AttachTarget } from '../../../shared/node/hosts/attach-argv.ts'
import type { HostConnection } from '../../../shared/node/host-client/connection.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import type { PartOutcome, SnapshotPart } from '../../../shared/node/host-client/snapshot-reader.ts'
import type { CallOutput } from '../../../shared/protocol.ts'
import type { WireEvent } from '../../../shared/protocol/records.ts'
import type { HostState } from '../../../shared/ipc/views.ts'

/** A host as the services know it; counts are the cache's. */
export interface KnownHost {
  name: string
  isLocal: boolean
  address: string
  state: HostState
  hostId?: string | undefined
  machine?: string | undefined
  version?: string | undefined
  role?: 'observer' | 'reviewer' | 'user' | undefined
}

/** Who keeps what hosts tell. Its methods must have kept it when they return, and must not throw for odd events. */
export interface HostSink {
  /** The newest event of a host that is kept, or undefined when a snapshot is wanted. */
  resumePoint(host: string): number | undefined
  /** `eventMark` of that event, where it is known. */
  resumeMark(host: string): string | undefined
  onEvents(host: string, events: readonly WireEvent[]): void
  /** From the first part to the end of the last one there is no resume point: a snapshot that breaks off has to come again. */
  onSnapshotPart(host: string, part: SnapshotPart): PartOutcome
  /** A connection was welcomed by the machine with this id. When it is another one than before, what is kept of it is dropped. */
  onWelcome(host: string, hostId: string): void
}

/** The hosts: one supervisor each, which keeps it connected. */
export interface HostService {
  list(): KnownHost[]
  get(host: string): KnownHost | undefined
  /** A call on the live connection; `connection_lost` without one, `host_unknown` for a name nobody added. */
  call(host: string): Call
  /** For what needs one and the same connection (uploads). */
  connection(host: string): HostConnection | undefined
  /** Waits until a host is live; rejects with its error when it is refused, or `timeout`. */
  whenLive(host: string, timeoutMs: number): Promise<void>
  add(host: NewHost): KnownHost
  remove(host: string): Promise<void>
  setToken(host: string, token: string | undefined): void
  /** Makes a user token on a host reached by socket or ssh, keeps it, and connects again with it. */
  pair(host: string): Promise<void>
  /** Tries now: after sleep, after a network change, or because a person said so. Also asks live ones for a sign of life. */
  wake(host?: string): void
  /** Keeps a host unconnected while it is being changed, until the answer is called. */
  hold(host: string): () => void
  /** Connects anew and goes on where the sink says; for when what was kept of the host is lost. */
  resync(host: string): void
  /** Reads the list of hosts again now, because this process changed it; other processes' changes are noticed anyway. */
  reload(): void
  /** argv that attaches to a tmux session of the host on this machine's terminal; throws AppError where there is no way (ws://). */
  attachArgv(host: string, tmux: AttachScreen, readOnly: boolean): string[]
  onChange(listener: (host: string) => void): () => void
  onNotice(
    listener: (host: string, code: 'user_token_created' | 'stopping' | 'disk_full', text: string) => void,
  ): () => void
  dispose(): Promise<void>
}

/** Where a host says that the screen of a task is. */
export type TmuxScreen = NonNullable<CallOutput<'task.get'>['tmux']>
/** One screen of it: the session's own, a window seen apart (`view`), or that of another server. */
export type AttachScreen = TmuxScreen & Pick<AttachTarget, 'server' | 'view'>

/** A host to add. */
export interface NewHost {
  name: string
  address: string
  token?: string | undefined
  sshConfig?: string | undefined
}

/** Where tokens are kept. In Electron they are encrypted by the system's key store. */
export interface SecretBox {
  get(name: string): string | undefined
  set(name: string, secret: string): void
  remove(name: string): void
}

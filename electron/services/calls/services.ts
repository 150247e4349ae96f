import type { DeskState, NotificationRecord } from '../../../shared/ipc/desk-calls.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import type { HostView } from '../../../shared/ipc/views.ts'
import type { IpcCaller, IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { InstallOutcome } from '../install/needs.ts'
import type { JobHandle, Jobs } from '../jobs/types.ts'
import type { Outbox } from '../outbox/types.ts'
import type { DeskPlatform } from '../platform.ts'
import type { SettingsService } from '../settings/types.ts'
import type { TerminalService } from '../terminals/types.ts'
import type { Decisions } from '../tasks/decisions.ts'
import type { Demo } from '../tasks/demo.ts'
import type { Opening } from '../tasks/opening.ts'
import type { PathCommand } from '../tasks/path-command.ts'
import type { TaskDetail } from '../tasks/task-detail.ts'
import type { TaskWindows } from '../tasks/task-windows.ts'
import type { Tickets } from '../tasks/tickets.ts'

/** Everything that calls are carried out with. */
export interface CallServices {
  hosts: HostService
  cache: Cache
  outbox: Outbox
  settings: SettingsService
  terminals: TerminalService
  jobs: Jobs
  platform: DeskPlatform
  environment: NodeJS.ProcessEnv
  tickets: Tickets
  detail: TaskDetail
  windows: TaskWindows
  decisions: Decisions
  demo: Demo
  opening: Opening
  command: PathCommand
  diff(input: IpcParsed<'task.diff'>): Promise<IpcOutput<'task.diff'>>
  run(input: IpcParsed<'task.run'>): Promise<IpcOutput<'task.run'>>
  check(input: IpcParsed<'task.check'>): Promise<IpcOutput<'task.check'>>
  dispatch(input: IpcParsed<'task.dispatch'>): Promise<IpcOutput<'task.dispatch'>>
  notifications: {
    test(): IpcOutput<'notification.test'>
    records(): NotificationRecord[]
  }
  installer: {
    install(host: string, from: InstallStep['id'] | undefined, job: JobHandle): Promise<InstallOutcome>
    uninstall(host: string, withOpenTasks: boolean, job: JobHandle): Promise<InstallOutcome>
    suggest(): string[] | Promise<string[]>
  }
  views: {
    state(): DeskState
    hosts(): HostView[]
    host(name: string): HostView
  }
  /** Brings a window to the front at a route. */
  openWindow(route: string): void
  focus(caller: IpcCaller, where: IpcParsed<'desk.focus'>): void
}

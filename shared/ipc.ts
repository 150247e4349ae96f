import { z } from 'zod'
import { wireErrorSchema } from './wire-error.ts'
import { hostName } from './domain/host-name.ts'
import { deskId, type IpcCallSpec } from './ipc/call-spec.ts'
import { deskCalls } from './ipc/desk-calls.ts'
import { hostCalls, installStepSchema } from './ipc/host-calls.ts'
import { settingsSchema } from './ipc/settings.ts'
import { terminalCalls, terminalDataSchema, terminalStateSchema } from './ipc/terminal-calls.ts'
import { countsSchema, deskProblemSchema, hostViewSchema, routeSchema } from './ipc/views.ts'
import { workCalls } from './ipc/work-calls.ts'

/**
 * Everything a window and the services say to each other. The window does not know whether they run in Electron's main
 * process or behind a page on loopback. Names are `noun.verb`; what has no entry here does not exist.
 */
export const ipcCalls = {
  ...deskCalls,
  ...hostCalls,
  ...workCalls,
  ...terminalCalls,
} as const satisfies Record<string, IpcCallSpec>

/** The name of a call. */
export type IpcCallName = keyof typeof ipcCalls
/** What a caller gives to a call. */
export type IpcInput<N extends IpcCallName> = z.input<(typeof ipcCalls)[N]['input']>
/** What a handler gets: checked, with defaults filled in. */
export type IpcParsed<N extends IpcCallName> = z.output<(typeof ipcCalls)[N]['input']>
/** What a call answers. */
export type IpcOutput<N extends IpcCallName> = z.output<(typeof ipcCalls)[N]['output']>

/** What the services tell windows without being asked. */
export const ipcEvents = {
  /** Something changed. At most twenty times a second; `tasks` are keys (`host/taskId`), `all` when there are too many. */
  'desk.changed': z.object({
    revision: z.number().int(),
    counts: countsSchema,
    hosts: z.array(hostViewSchema).max(200),
    tasks: z.union([z.literal('all'), z.array(z.string().max(200)).max(500)]),
  }),
  'settings.changed': settingsSchema,
  /** All that is wrong now; empty when everything was repaired. */
  'desk.problems': z.object({ problems: z.array(deskProblemSchema).max(10) }),
  'desk.navigate': z.object({ route: routeSchema }),
  /** The application's menu asks for what only the page can do. */
  'desk.command': z.object({ command: z.enum(['palette', 'keys', 'new_task']) }),
  /** A sentence for the person: a code that the window has words for. */
  'desk.notice': z.object({
    code: z.enum([
      'user_token_created',
      'host_stopping',
      'host_disk_full',
      'answer_delivered',
      'answer_too_late',
      'answer_expired',
      'answer_failed',
      'cache_rebuilt',
      'answers_set_aside',
      'sync_failed',
    ]),
    host: hostName.optional(),
    route: routeSchema.optional(),
    text: z.string().max(1_000).optional(),
  }),
  /** How a long call is getting on; its id was chosen by the caller. */
  'job.progress': z.object({
    jobId: deskId,
    step: z.enum(['asking', 'packing', 'sending', 'unpacking', 'starting', 'reading', 'install']),
    done: z.number().min(0).optional(),
    total: z.number().min(0).optional(),
    install: installStepSchema.optional(),
  }),
  'run.output': z.object({
    jobId: deskId,
    channel: z.enum(['stdout', 'stderr']),
    chunk: z.string().max(512 * 1024),
  }),
  'terminal.data': terminalDataSchema,
  'terminal.state': z.object({ terminalId: deskId, state: terminalStateSchema, controlled: z.boolean() }),
} as const

/** The name of an event. */
export type IpcEventName = keyof typeof ipcEvents
/** What an event carries. */
export type IpcEvent<N extends IpcEventName> = z.output<(typeof ipcEvents)[N]>

/** The answer to a call as it crosses the border: always one of these, never an exception. */
export const ipcAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
])
export type IpcAnswer = z.infer<typeof ipcAnswerSchema>

/** A call as it crosses the border. */
export const ipcRequestSchema = z.object({ name: z.string().max(64), input: z.unknown() })

/** What a preload script puts into the window (`window.handoff`), and what the browser shell imitates. */
export interface Bridge {
  call(name: string, input: unknown): Promise<IpcAnswer>
  /** Hears every event; answers how to stop. */
  subscribe(listener: (name: string, payload: unknown) => void): () => void
}

/** A function for every call; one that is missing does not compile. `caller` tells windows apart. */
export type IpcHandlers = {
  [N in IpcCallName]: (input: IpcParsed<N>, caller: IpcCaller) => Promise<IpcOutput<N>> | IpcOutput<N>
}
/** Handlers of some calls. */
export type SomeIpcHandlers<N extends IpcCallName> = Pick<IpcHandlers, N>

/** Which window calls; its terminals are closed when it goes. */
export interface IpcCaller {
  windowId: string
}

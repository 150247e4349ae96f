import { z } from 'zod'
import { executorInfoSchema, hostInfoSchema } from '../protocol/records.ts'
import { hostName } from '../domain/host-name.ts'
import { deskId, ipcCall, localPath, mayCancel, nothing } from './call-spec.ts'
import { wireErrorSchema } from '../wire-error.ts'
import { hostViewSchema } from './views.ts'

const address = z.string().min(1).max(4_096)
const newHost = z.object({
  name: hostName,
  address,
  token: z.string().min(1).max(200).optional(),
  sshConfig: localPath.optional(),
})

/** What steps of an installation can find; the window has the words. */
const foundSchema = z.enum([
  'reached',
  'machine',
  'machine_without_node',
  'machine_with_old_node',
  'copied',
  'copied_before',
  'runs_already',
  'runs_as_service',
  'runs_in_background',
  'paired',
  'paired_before',
  'executors',
  'executors_some',
  'executors_none',
  'round_trip',
  'removed',
  'nothing_there',
])

/** One step of bringing Handoff to a host; shown as it happens. */
export const installStepSchema = z.object({
  id: z.enum(['reach', 'inspect', 'copy', 'service', 'pair', 'executors', 'round_trip', 'undo']),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped']),
  /** What it found, with what fills the places of those words. */
  found: z
    .object({ kind: foundSchema, values: z.record(z.string().max(40), z.string().max(300)) })
    .optional(),
  /** Why it failed. */
  error: wireErrorSchema.optional(),
  tookMs: z.number().int().min(0).optional(),
})
export type InstallStep = z.infer<typeof installStepSchema>

/** Calls about hosts. */
export const hostCalls = {
  'host.list': ipcCall(nothing, z.object({ hosts: z.array(hostViewSchema).max(200) })),
  'host.info': ipcCall(z.object({ host: hostName, ...mayCancel }), hostInfoSchema),
  'host.executors': ipcCall(
    z.object({ host: hostName, ...mayCancel }),
    z.object({ executors: z.array(executorInfoSchema).max(50) }),
  ),
  /** Names of ~/.ssh/config, for the person to choose from. */
  'host.suggest': ipcCall(nothing, z.object({ names: z.array(z.string().max(255)).max(500) })),
  'host.add': ipcCall(newHost, hostViewSchema),
  'host.remove': ipcCall(z.object({ host: hostName }), nothing),
  /** `token` null forgets it. */
  'host.token': ipcCall(
    z.object({ host: hostName, token: z.string().min(1).max(200).nullable() }),
    hostViewSchema,
  ),
  /** Lets this desk answer for the person on a host that it reaches by socket or ssh: makes a user token there. */
  'host.pair': ipcCall(z.object({ host: hostName }), hostViewSchema),
  /** Reads the list of hosts again now; what is wrong with it is one of the desk's problems. */
  'host.reload': ipcCall(nothing, nothing),
  /** Tries now; without a name all of them. */
  'host.wake': ipcCall(z.object({ host: hostName.optional() }), nothing),
  /** Steps of one attempt, one after the other, as `job.progress`; answers when it ended. Repeatable. */
  'host.install': ipcCall(
    z.object({ jobId: deskId, host: hostName, from: installStepSchema.shape.id.optional() }),
    z.object({ ok: z.boolean(), steps: z.array(installStepSchema).max(20) }),
  ),
  /** Removes what `host.install` put there. Refuses while tasks are open unless told. */
  'host.uninstall': ipcCall(
    z.object({ jobId: deskId, host: hostName, withOpenTasks: z.boolean().default(false) }),
    z.object({ ok: z.boolean(), steps: z.array(installStepSchema).max(20) }),
  ),
} as const

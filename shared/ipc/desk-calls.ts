import { z } from 'zod'
import { clientIdSchema } from '../domain/actor.ts'
import { auditEntrySchema, ruleSchema } from '../protocol/records.ts'
import { hostName } from '../domain/host-name.ts'
import { deskId, ipcCall, mayCancel, nothing, taskAt } from './call-spec.ts'
import { settingsSchema } from './settings.ts'
import { countsSchema, deskProblemSchema, hostViewSchema, routeSchema } from './views.ts'

/** What the window needs before it can draw anything. */
export const deskStateSchema = z.object({
  revision: z.number().int(),
  shell: z.enum(['electron', 'browser']),
  platform: z.enum(['darwin', 'win32', 'linux']),
  version: z.string().max(64),
  /** Under which name hosts know this desk; what it answered was answered by "you". */
  clientId: clientIdSchema.optional(),
  /** BCP 47, as the system says it. */
  systemLocale: z.string().max(35),
  hosts: z.array(hostViewSchema).max(200),
  counts: countsSchema,
  settings: settingsSchema,
  problems: z.array(deskProblemSchema).max(10),
  /** Where the window was when it was last closed, or where a notification wants it. */
  route: routeSchema.optional(),
  /** What this shell can do; the window hides what is missing. */
  can: z.object({
    notify: z.boolean(),
    pickFolder: z.boolean(),
    launchAtLogin: z.boolean(),
    globalShortcut: z.boolean(),
    installCommand: z.boolean(),
    browserSessions: z.boolean(),
  }),
})
export type DeskState = z.infer<typeof deskStateSchema>

const browserSession = z.object({
  id: deskId,
  createdAt: z.number().int(),
  lastSeenAt: z.number().int(),
  agent: z.string().max(300),
  current: z.boolean(),
})

/** What happened to one wish to notify; kept so that "why did I hear nothing" has an answer. */
export const notificationRecordSchema = z.object({
  key: z.string().max(400),
  at: z.number().int(),
  title: z.string().max(300),
  outcome: z.enum(['shown', 'withdrawn', 'clicked', 'answered', 'suppressed', 'unsupported', 'failed']),
  why: z.string().max(200).optional(),
})
export type NotificationRecord = z.infer<typeof notificationRecordSchema>

/** Calls about the desk itself. */
export const deskCalls = {
  'desk.state': ipcCall(nothing, deskStateSchema),
  /** The window says where it is and whether it has the keyboard, so that nothing is announced that is on the screen. */
  'desk.focus': ipcCall(z.object({ route: routeSchema, focused: z.boolean() }), nothing),
  /** Brings the main window to the front at a route; for the tray's own window. */
  'window.open': ipcCall(z.object({ route: routeSchema }), nothing),
  /** A recursive change; the result is the whole. */
  'settings.change': ipcCall(z.object({ patch: z.record(z.string(), z.unknown()) }), settingsSchema),
  'notification.test': ipcCall(nothing, notificationRecordSchema.pick({ outcome: true, why: true })),
  'notification.log': ipcCall(nothing, z.object({ records: z.array(notificationRecordSchema).max(500) })),
  /** Opens a page in the person's browser, or writes a mail; other links than https, http and mailto are refused. */
  'open.url': ipcCall(z.object({ url: z.url().max(4_096) }), nothing),
  /** Opens a file of a task, or its folder (`.`), in the person's editor. `why` says what kept it from being `opened`. */
  'open.editor': ipcCall(
    taskAt.extend({ path: z.string().min(1).max(4_096), line: z.number().int().min(1).optional() }),
    z.object({ opened: z.boolean(), path: z.string().max(4_096), why: z.string().max(500).optional() }),
  ),
  'open.logs': ipcCall(nothing, z.object({ path: z.string().max(4_096), opened: z.boolean() })),
  'command.status': ipcCall(
    nothing,
    z.object({ installed: z.boolean(), path: z.string().max(4_096), onPath: z.boolean() }),
  ),
  'command.install': ipcCall(
    nothing,
    z.object({ path: z.string().max(4_096), hint: z.string().max(500).optional() }),
  ),
  'command.remove': ipcCall(nothing, nothing),
  'session.list': ipcCall(nothing, z.object({ sessions: z.array(browserSession).max(100) })),
  'session.revoke': ipcCall(z.object({ id: deskId }), nothing),
  'rule.list': ipcCall(
    z.object({ host: hostName, ...mayCancel }),
    z.object({ rules: z.array(ruleSchema.extend({ targetName: z.string().max(200).optional() })) }),
  ),
  'rule.revoke': ipcCall(z.object({ host: hostName, ruleId: deskId, ...mayCancel }), nothing),
  'audit.list': ipcCall(
    z.object({
      host: hostName,
      taskId: z.uuid().optional(),
      beforeId: z.number().int().optional(),
      limit: z.number().int().min(1).max(500).default(100),
      ...mayCancel,
    }),
    z.object({ entries: z.array(auditEntrySchema).max(500) }),
  ),
  /** Ends something long: a dispatch, an install, a run, a diff. */
  'job.cancel': ipcCall(z.object({ jobId: deskId }), z.object({ found: z.boolean() })),
} as const

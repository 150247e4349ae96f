import { z } from 'zod'
import { taskSchema } from '../shared/domain/task.ts'
import { audienceSchema, ticketSchema } from '../shared/domain/ticket.ts'
import { deskAddressSchema, deskSessionSchema } from '../shared/node/desk-control.ts'
import {
  auditEntrySchema,
  hostInfoSchema,
  ruleSchema,
  tokenSchema,
  wireEventSchema,
} from '../shared/protocol/records.ts'

/** The version in every `--json` output; it rises when a field changes its meaning or goes away. New fields may come. */
export const JSON_VERSION = 1

const v = z.literal(JSON_VERSION)
const host = z.string()
/** Commands to copy, in the order in which they make sense. */
const next = z.array(z.string())

/** A task as programs see it: what the protocol tells, without the parts that only matter inside, plus its host. */
export const taskOutSchema = taskSchema
  .pick({
    id: true,
    title: true,
    state: true,
    executor: true,
    branch: true,
    base: true,
    head: true,
    worktree: true,
    inPlace: true,
    round: true,
    summary: true,
    stalledSince: true,
    offlineSince: true,
    createdAt: true,
    updatedAt: true,
    endedAt: true,
    endReason: true,
    openTickets: true,
  })
  .extend({ host, repo: z.string() })
export type TaskOut = z.infer<typeof taskOutSchema>

const unreachableSchema = z.object({
  host,
  code: z.string(),
  message: z.string(),
  /** When its tasks were last known (ms since the epoch). */
  knownAt: z.number().int().optional(),
})

/** How bringing a result into the dispatching repository went. */
export const syncOutSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['created', 'unchanged', 'updated', 'local_ahead', 'diverged', 'checked_out_here']),
    branch: z.string(),
    commit: z.string(),
    repo: z.string(),
    /** Where the local branch stood (or stands, when it was not moved). */
    local: z.string().optional(),
    /** The ref that holds the result when the local branch could not be moved. */
    keptAt: z.string().optional(),
    worktreePath: z.string().optional(),
  }),
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string() }),
])
export type SyncOut = z.infer<typeof syncOutSchema>

const eventOut = z.object({
  v,
  host,
  event: wireEventSchema,
  audience: audienceSchema.optional(),
  task: taskOutSchema,
  sync: syncOutSchema.optional(),
  next,
})

const checkOut = z.object({
  name: z.string(),
  level: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  fix: z.string().optional(),
})

/** Every `--json` output by command. Streams of lines (`wait --follow`, `demo`) have this shape per line. */
export const jsonShapes = {
  dispatch: z.object({
    v,
    task: taskOutSchema,
    /** Uncommitted files that stayed where they are. */
    leftBehind: z.array(z.string()),
    included: z.array(z.string()),
    sentBytes: z.number().int().optional(),
    next,
  }),
  wait: eventOut,
  reply: z.object({
    v,
    host,
    outcome: z.enum(['applied', 'already_answered', 'expired']),
    ticket: ticketSchema,
    rule: z.object({ scope: z.enum(['task', 'repo']), pattern: z.string() }).optional(),
    next,
  }),
  escalate: z.object({ v, host, ticket: ticketSchema, next }),
  continue: z.object({ v, task: taskOutSchema, next }),
  diff: z.object({ v, host, from: z.string(), to: z.string(), uncommitted: z.boolean(), text: z.string() }),
  fetch: z.object({
    v,
    host,
    path: z.string(),
    sizeBytes: z.number().int(),
    savedTo: z.string().optional(),
    base64: z.string().optional(),
  }),
  run: z.object({
    v,
    host,
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    stdout: z.string(),
    stderr: z.string(),
  }),
  tasks: z.object({
    v,
    tasks: z.array(taskOutSchema.extend({ knownAt: z.number().int().optional() })),
    unreachable: z.array(unreachableSchema),
  }),
  show: z.object({
    v,
    task: taskOutSchema,
    plan: z.string(),
    personConnected: z.boolean().optional(),
    tickets: z.array(ticketSchema),
    rounds: z.array(
      z.object({ round: z.number().int(), from: z.string(), to: z.string(), summary: z.string() }),
    ),
    events: z.array(wireEventSchema),
    /** Set when the host cannot be reached: this is what was known then. */
    knownAt: z.number().int().optional(),
    next,
  }),
  done: z.object({
    v,
    task: taskOutSchema,
    push: z.string().optional(),
    worktree: z.enum(['removed', 'kept']),
    worktreeWhy: z.string().optional(),
    sync: syncOutSchema.optional(),
  }),
  cancel: z.object({ v, task: taskOutSchema }),
  pull: z.object({ v, host, sync: syncOutSchema }),
  repair: z.object({ v, task: taskOutSchema, outcome: z.string() }),
  gc: z.object({
    v,
    host,
    dryRun: z.boolean(),
    removed: z.array(z.object({ what: z.string(), path: z.string(), bytes: z.number().int() })),
    kept: z.array(z.object({ path: z.string(), why: z.string() })),
  }),
  audit: z.object({ v, host, entries: z.array(auditEntrySchema) }),
  rules: z.object({ v, rules: z.array(ruleSchema.extend({ host })) }),
  'rules revoke': z.object({ v, rule: ruleSchema.extend({ host }) }),
  attach: z.object({ v, host, session: z.string(), argv: z.array(z.string()) }),
  'host list': z.object({
    v,
    hosts: z.array(z.object({ name: z.string(), address: z.string(), hasToken: z.boolean() })),
  }),
  'host add': z.object({
    v,
    name: z.string(),
    address: z.string(),
    check: z.object({ ok: z.boolean(), message: z.string() }).optional(),
  }),
  'host remove': z.object({ v, name: z.string() }),
  'host check': z.object({
    v,
    hosts: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        message: z.string(),
        fix: z.string().optional(),
        version: z.string().optional(),
        role: z.string().optional(),
        latencyMs: z.number().optional(),
      }),
    ),
  }),
  'agentd status': z.object({ v, running: z.boolean(), info: hostInfoSchema.optional() }),
  'agentd start': z.object({ v, started: z.boolean(), pid: z.number().int(), home: z.string() }),
  'agentd stop': z.object({ v, stopped: z.boolean() }),
  'agentd token create': z.object({ v, token: z.string(), info: tokenSchema }),
  'agentd token list': z.object({ v, tokens: z.array(tokenSchema) }),
  'agentd token revoke': z.object({ v, info: tokenSchema, closedConnections: z.number().int() }),
  'agentd install-service': z.object({
    v,
    kind: z.enum(['systemd', 'launchd']),
    path: z.string(),
    text: z.string(),
    written: z.boolean(),
  }),
  'agentd uninstall-service': z.object({
    v,
    kind: z.enum(['systemd', 'launchd']),
    path: z.string(),
    removed: z.boolean(),
  }),
  doctor: z.object({ v, ok: z.boolean(), checks: z.array(checkOut) }),
  guide: z.object({
    v,
    text: z.string().optional(),
    assistant: z.string().optional(),
    path: z.string().optional(),
    outcome: z.enum(['shown', 'installed', 'updated', 'unchanged', 'removed', 'not_installed']),
  }),
  'ui open': deskAddressSchema,
  'ui sessions': z.object({ v, sessions: z.array(deskSessionSchema) }),
  'ui revoke': z.object({ v, id: z.string(), closedWindows: z.number().int() }),
  demo: z.object({
    v,
    step: z.string(),
    ok: z.boolean(),
    seen: z.record(z.string(), z.unknown()),
    command: z.string().optional(),
    error: z.string().optional(),
  }),
} as const

export type JsonShapeName = keyof typeof jsonShapes
/** What a command prints with `--json`. */
export type JsonOut<N extends JsonShapeName> = z.input<(typeof jsonShapes)[N]>

import { z } from 'zod'

/** What a connection may do. `observer` reads, `reviewer` judges, `user` is the person who answers for the work. */
export const roleSchema = z.enum(['observer', 'reviewer', 'user'])
export type Role = z.infer<typeof roleSchema>

/** Stable name of a program that talks to agentd; its cursor is kept under this id. */
export const clientIdSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)

/** What kind of program a client is: the command line, a desktop app, an agent session, or a test. */
export const clientKindSchema = z.enum(['cli', 'desk', 'agent', 'test'])
export type ClientKind = z.infer<typeof clientKindSchema>

/** Who did something: a connected client, a saved rule, or agentd itself. */
export const actorSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('client'),
    clientId: clientIdSchema,
    clientKind: clientKindSchema,
    name: z.string().max(200),
    role: roleSchema,
    /** How the role was proven: the 0600 socket, a token, or a person typing on a terminal. */
    via: z.enum(['socket', 'token', 'terminal']),
  }),
  z.object({ kind: z.literal('rule'), ruleId: z.string().max(64) }),
  z.object({ kind: z.literal('agentd') }),
])
export type Actor = z.infer<typeof actorSchema>

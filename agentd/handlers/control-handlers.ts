import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { PresenceRegistry } from '../server/presence.ts'
import type { Tokens } from '../server/tokens.ts'
import type { Store } from '../store/store.ts'
import { asPerson } from '../tasks/answers.ts'
import { recordAct } from '../tasks/audit.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask } from '../tasks/resolve.ts'
import { repoKey } from '../tasks/rules.ts'

type ControlCalls =
  | 'host.info'
  | 'rule.list'
  | 'rule.revoke'
  | 'audit.list'
  | 'token.present'
  | 'token.create'
  | 'token.list'
  | 'token.revoke'
  | 'wait.next'
  | 'events.ack'
  | 'agentd.stop'

interface Needs {
  store: Store
  engine: Engine
  tokens: Tokens
  presence: PresenceRegistry
  now: () => number
  hostInfo(): Promise<CallOutput<'host.info'>>
  stop(): void
}

/** Calls about the host itself: rules, audit, tokens, waiting. */
export function createControlHandlers({
  store,
  engine,
  tokens,
  presence,
  now,
  hostInfo,
  stop,
}: Needs): SomeHandlers<ControlCalls> {
  const log = { store, now }
  return {
    'host.info': hostInfo,
    'rule.list': ({ task: ref }) => {
      const task = ref === undefined ? undefined : resolveTask(store, ref)
      return { rules: task ? store.rules.for(task.id, repoKey(task)) : store.rules.list() }
    },
    'rule.revoke': ({ ruleId }, { actor }) => {
      const rule = store.rules.get(ruleId)
      if (!rule)
        throw new AppError({
          code: 'rule_not_found',
          message: `There is no rule ${ruleId}.`,
          hint: 'List them with "handoff rules".',
        })
      store.transaction(() => {
        store.rules.remove(ruleId)
        recordAct(log, {
          decision: 'rule.revoke',
          by: actor,
          text: rule.pattern,
          detail: `${rule.scope}: ${rule.target}`,
        })
      })
      return { rule }
    },
    'audit.list': ({ task: ref, limit, beforeId }) => ({
      entries: store.audit.list({
        limit,
        ...(ref === undefined ? {} : { taskId: resolveTask(store, ref).id }),
        ...(beforeId === undefined ? {} : { beforeId }),
      }),
    }),
    'token.present': ({ role, name }) =>
      engine.presentation.present(subjectOf(role, name), tokenText(role, name)),
    'token.create': ({ role, name, typed }, { actor }) => {
      if (typed) engine.presentation.redeem(subjectOf(role, name), typed)
      const by = typed ? asPerson(actor) : actor
      if (role === 'user' && by.role !== 'user')
        throw new AppError({
          code: 'person_required',
          message: 'A token with the role user is created by a person at a terminal.',
          hint: 'Run "handoff agentd token create --role user" on a terminal of your own.',
        })
      const created = store.transaction(() => {
        const made = tokens.create({ name, role })
        recordAct(log, { decision: 'token.create', by, text: tokenText(role, name), detail: made.info.id })
        return made
      })
      if (role === 'user') presence.tellPeople('user_token_created', tokenText(role, name))
      return created
    },
    'token.list': () => ({ tokens: tokens.list() }),
    'token.revoke': ({ token }, { actor }) =>
      store.transaction(() => {
        const revoked = tokens.revoke(token)
        recordAct(log, {
          decision: 'token.revoke',
          by: actor,
          text: tokenText(revoked.info.role, revoked.info.name),
          detail: revoked.info.id,
        })
        return revoked
      }),
    'wait.next': (input, { actor, role, signal }) =>
      engine.wait.next({
        consumer: consumerOf(input.consumer, actor),
        role,
        tasks: input.tasks,
        until: input.until,
        signal,
      }),
    'events.ack': ({ consumer, seq, taskId }, { actor }) => {
      engine.wait.acknowledge(consumerOf(consumer, actor), seq, taskId)
      return {}
    },
    'agentd.stop': () => {
      stop()
      return {}
    },
  }
}

/** Clients of the socket belong to one user and may share a cursor; a token has only its own. */
const consumerOf = (named: string, actor: { clientId: string; via: string }): string =>
  actor.via === 'token' ? actor.clientId : named
const subjectOf = (role: string, name: string): string => `token ${role} ${name}`
const tokenText = (role: string, name: string): string => `A token "${name}" with the role ${role}`

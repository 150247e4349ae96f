import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Delivery,
  ExecutorAdapter,
  ExecutorFact,
  ExecutorSession,
  ExecutorTask,
} from '../../agentd/executors/adapter.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import { gitTestEnvironment, type TestRepository } from './repository.ts'
import type { TmuxPlace } from './tmux.ts'
import { until } from './until.ts'

type FactOf<T extends ExecutorFact['type']> = Extract<ExecutorFact, { type: T }>

/** Plays the engine for one task of an adapter: keeps facts and state, numbers deliveries. */
export async function createExecutorHarness(needs: {
  adapter: ExecutorAdapter
  place: TmuxPlace
  repository: TestRepository
  plan: string
  dir?: string
}) {
  const taskId = randomUUID()
  const dir = needs.dir ?? (await realpath(await mkdtemp(join(tmpdir(), 'handoff-task-'))))
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const task: ExecutorTask = {
    taskId,
    title: 'A test task',
    worktree: needs.repository.path,
    branch: 'main',
    base: needs.repository.head,
    plan: needs.plan,
    dir,
    tmuxSession: `handoff-${taskId.slice(0, 8)}`,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: needs.place.home,
      LANG: 'C.UTF-8',
      ...gitTestEnvironment,
      HANDOFF_TASK: taskId,
    },
  }
  const facts: ExecutorFact[] = []
  let state: Record<string, unknown> = {}
  let lastDelivery = 0
  let session: ExecutorSession = open()

  function open(): ExecutorSession {
    return needs.adapter.open({
      task,
      state: { get: () => state, set: (value) => void (state = structuredClone(value)) },
      report: (fact) => void facts.push(fact),
      log: () => undefined,
    })
  }

  function fact<T extends ExecutorFact['type']>(type: T, nth = 1, timeoutMs = 15_000): Promise<FactOf<T>> {
    const isType = (one: ExecutorFact): one is FactOf<T> => one.type === type
    return until(`fact ${type} number ${nth}`, () => facts.filter(isType)[nth - 1], { timeoutMs }) as Promise<
      FactOf<T>
    >
  }

  const next = () => ({ deliveryId: (lastDelivery += 1), attempt: 1 })
  return {
    task,
    dir,
    facts,
    fact,
    session: () => session,
    /** As after a restart of agentd: a new session with the state that was kept. */
    reopen(): ExecutorSession {
      session.dispose()
      session = open()
      return session
    },
    prompt: (text: string) => session.deliver({ ...next(), kind: 'prompt', text }),
    respond: (requestId: string, answer: Answer) =>
      session.deliver({
        ...next(),
        kind: 'respond',
        requestId,
        answer,
        ask: requestId.startsWith('q') ? 'question' : 'permission',
      }),
    deliver: (delivery: Delivery) => session.deliver(delivery),
    async dispose(): Promise<void> {
      session.dispose()
      await needs.place.tmux('kill-session', '-t', `=${task.tmuxSession}`).catch(() => undefined)
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
export type ExecutorHarness = Awaited<ReturnType<typeof createExecutorHarness>>

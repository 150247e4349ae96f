import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { openStore } from '../../../agentd/store/open-store.ts'
import { createFactLog } from '../../../agentd/tasks/fact-log.ts'
import { openCache } from '../../../electron/services/cache/open-cache.ts'
import type { Fact } from '../../../shared/domain/fact.ts'
import type { Task } from '../../../shared/domain/task.ts'
import { homePaths, openHome, type Home } from '../../../shared/node/home.ts'
import { sampleTask, user } from '../../support/sample-facts.ts'
import { privateFacts, taskId } from '../../support/sample-store.ts'

/** What a home is filled with. */
export interface DeskHomeContents {
  /** Tasks in all; those beyond `running` are over and only in the desk's cache. */
  tasks: number
  /** Tasks that can ask something: numbers 1 … `running`. */
  running: number
  /** Open tickets, spread over the running tasks. */
  tickets?: number
  /** Changes the running tasks. */
  change?: (task: Task, n: number) => Task
  /** Another host than this computer's: the folder of its home, and its name in the cache of `deskHome`. */
  other?: { name: string; deskHome: Home }
}

/** A home with a full database of agentd and a desk's cache that has heard all of it. */
export async function deskHome(folder: string, contents: DeskHomeContents): Promise<Home> {
  const home = homePaths({ HANDOFF_HOME: folder })
  await openHome(home)
  const store = openStore({ path: home.database })
  const log = createFactLog({ store, now: Date.now })
  const { tasks, running, tickets = 0, change = (task: Task) => task } = contents
  try {
    log.transaction(() => {
      for (let n = 1; n <= running; n += 1) store.tasks.insert(change(runningTask(n), n), privateFacts)
      for (let n = 0; n < tickets; n += 1)
        log.apply(
          taskId((n % running) + 1),
          askFact((n % running) + 1, `seed-${n}`, `npm run check -- part-${n}`),
        )
    })
    const over = Array.from({ length: tasks - running }, (_, index) => overTask(running + 1 + index))
    await fillCache({
      deskHome: contents.other?.deskHome ?? home,
      host: contents.other?.name ?? 'local',
      hostId: store.meta.hostId(),
      snapshot: {
        headSeq: store.events.headSeq(),
        tasks: [...store.tasks.open(), ...over],
        tickets: store.tickets.open(),
      },
    })
  } finally {
    store.close()
  }
  return home
}

async function fillCache({
  deskHome: { root },
  host,
  hostId,
  snapshot,
}: {
  deskHome: Home
  host: string
  hostId: string
  snapshot: Parameters<ReturnType<typeof openCache>['onSnapshot']>[1]
}): Promise<void> {
  await mkdir(path.join(root, 'desk'), { recursive: true, mode: 0o700 })
  const cache = openCache({ path: path.join(root, 'desk', 'cache.db') })
  cache.onWelcome(host, hostId)
  cache.onSnapshot(host, snapshot)
  cache.dispose()
}

/** That the n-th task asks whether it may run a command; `request` makes the ticket's id. */
export function askFact(n: number, request: string, text: string): Extract<Fact, { type: 'asked' }> {
  return {
    type: 'asked',
    ticketId: `${taskId(n)}:${request}`,
    audience: 'user',
    ask: { kind: 'permission', action: 'command', text, risk: { level: 'routine' } },
  }
}

function runningTask(n: number): Task {
  const at = Date.now() - n * 1_000
  return sampleTask({
    ...names(n),
    state: 'running',
    session: `session-${n}`,
    dispatchedBy: user,
    createdAt: at,
    updatedAt: at,
  })
}

function overTask(n: number): Task {
  const at = Date.now() - n * 60_000
  return sampleTask({
    ...names(n),
    state: 'completed',
    summary: 'The greeting is there, with tests.',
    createdAt: at,
    updatedAt: at,
    endedAt: at,
  })
}

function names(n: number) {
  return {
    id: taskId(n),
    title: `Task ${n}: add a greeting to the ${['start page', 'mail', 'bill', 'report'][n % 4]}`,
    repo: { kind: 'path' as const, path: `/srv/repo-${n % 50}`, name: `repo-${n % 50}` },
    branch: `handoff/${taskId(n).slice(0, 8)}-greeting`,
  }
}

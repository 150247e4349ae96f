import { AppError } from '../../shared/errors.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import type { HostClient } from './host-client.ts'
import type { HostStore } from './store.ts'
import type { KnownTasks } from './known-tasks.ts'

/** A task and where it lives. */
export interface Found {
  host: string
  client: HostClient
  task: Task
}

/** A host that could not be asked. */
export interface Unreachable {
  host: string
  error: AppError
  knownAt: number | undefined
}

/** This machine's agentd and every configured host, asked one by one or all at once. */
export interface Fleet {
  /** The hosts a command is about: the one named by --host, or all of them. */
  names(): string[]
  /** A connection, opened at first use and kept until `close`. Throws AppError when the host cannot be reached. */
  open(host: string, options?: { signal?: AbortSignal }): Promise<HostClient>
  /** Forgets a connection that broke, so that the next `open` makes a new one. */
  drop(host: string): void
  /** Asks all hosts at once with a time limit; who does not answer is named, not waited for. */
  askAll<T>(
    ask: (client: HostClient, host: string, signal: AbortSignal) => Promise<T>,
  ): Promise<{ answers: { host: string; value: T }[]; unreachable: Unreachable[] }>
  /** The one task that `ref` begins; throws task_not_found, task_ambiguous, or host_unreachable when it is known to live there. */
  findTask(ref: string): Promise<Found>
  close(): Promise<void>
}

const ASK_TIMEOUT_MS = 8_000

/** Opens hosts through `connect`; nothing is contacted before it is needed. */
export function createFleet({
  store,
  known,
  only,
  connect,
  askTimeoutMs = ASK_TIMEOUT_MS,
}: {
  store: HostStore
  known: KnownTasks
  only: string | undefined
  connect: (host: string) => Promise<HostClient>
  askTimeoutMs?: number
}): Fleet {
  const clients = new Map<string, Promise<HostClient>>()
  const open: Fleet['open'] = (host, { signal } = {}) => {
    const opening = clients.get(host) ?? connect(host)
    clients.set(host, opening)
    opening.catch(() => clients.delete(host))
    return signal === undefined ? opening : within(opening, signal, host)
  }
  const names = () => {
    if (only === undefined) return ['local', ...store.list().map((host) => host.name)]
    // A name that nobody added is a slip, not a host that is away.
    return [only === 'local' ? only : store.get(only).name]
  }
  const askAll: Fleet['askAll'] = async (ask) => {
    const settled = await Promise.all(
      names().map(async (host) => {
        const signal = AbortSignal.timeout(askTimeoutMs)
        try {
          const client = await open(host, { signal })
          return { host, value: await within(ask(client, host, signal), signal, host) }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return { host, error, knownAt: known.load(host)?.at }
        }
      }),
    )
    return {
      answers: settled.filter((one) => 'value' in one) as never,
      unreachable: settled.filter((one): one is Unreachable => 'error' in one),
    }
  }
  const findTask = async (ref: string): Promise<Found> => {
    const { answers, unreachable } = await askAll((client, _host, signal) =>
      client.call('task.find', { ref: taskRefOf(ref), limit: 10 }, { signal }),
    )
    const found = answers.flatMap(({ host, value }) => value.tasks.map((task) => ({ host, task })))
    const exact = found.find(({ task }) => task.id === ref)
    const candidates = exact === undefined ? found : [exact]
    const [first, ...others] = candidates
    if (first !== undefined && others.length === 0) return { ...first, client: await open(first.host) }
    if (first !== undefined) throw ambiguous(ref, candidates)
    throw notFound(ref, { unreachable, known, only: answers.map(({ host }) => host) })
  }
  return {
    names,
    open,
    drop: (host) => void clients.delete(host),
    askAll,
    findTask,
    async close() {
      const opened = await Promise.allSettled(clients.values())
      clients.clear()
      await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
    },
  }
}

const TASK_REF = /^[0-9a-f][0-9a-f-]{0,35}$/

/** A task id or a beginning of one as people write it (`handoff-3fa2…`, upper case) in the protocol's form; throws usage. */
export function taskRefOf(text: string): string {
  const ref = text
    .trim()
    .toLowerCase()
    .replace(/^handoff[-/]/, '')
  if (TASK_REF.test(ref)) return ref
  throw new AppError({
    code: 'usage',
    message: `“${text.slice(0, 80)}” is not a task id.`,
    hint: 'A task id is made of 0-9, a-f and dashes; any beginning that fits one task is enough. `handoff tasks` lists them.',
  })
}

function ambiguous(ref: string, candidates: readonly { host: string; task: Task }[]): AppError {
  const list = candidates
    .slice(0, 10)
    .map(({ host, task }) => `${shareable(task, candidates)}  ${host}  ${task.title}`)
  return new AppError({
    code: 'task_ambiguous',
    message: `${ref} fits ${candidates.length} tasks.`,
    hint: `Write more of the id:\n${list.join('\n')}`,
    details: { candidates: candidates.map(({ host, task }) => ({ host, id: task.id, title: task.title })) },
  })
}

/** The shortest beginning (at least 8 characters) that tells a task from the other candidates. */
function shareable(task: Task, candidates: readonly { task: Task }[]): string {
  for (let length = 8; length < task.id.length; length += 1) {
    const prefix = task.id.slice(0, length)
    if (candidates.filter((one) => one.task.id.startsWith(prefix)).length === 1) return prefix
  }
  return task.id
}

function notFound(
  ref: string,
  { unreachable, known, only }: { unreachable: readonly Unreachable[]; known: KnownTasks; only: string[] },
): AppError {
  for (const { host, error, knownAt } of unreachable) {
    const task = known.load(host)?.tasks.find((one) => one.id.startsWith(ref))
    if (task === undefined) continue
    return new AppError(
      {
        code: 'host_unreachable',
        message: `Task ${shortId(task.id)} lives on ${host}, which cannot be reached: ${error.message}`,
        hint: `${error.hint === undefined ? '' : `${error.hint} `}Then run this again; \`handoff show ${shortId(task.id)}\` tells what was last known.`,
        details: { host, task, knownAt },
      },
      { cause: error },
    )
  }
  const [first] = unreachable
  if (only.length === 0 && first !== undefined) return first.error
  const silent = unreachable.map(({ host }) => host).join(', ')
  return new AppError({
    code: 'task_not_found',
    message: `No task begins with ${ref}${silent === '' ? '' : ` on the hosts that answered (${only.join(', ')})`}.`,
    hint: `${silent === '' ? '' : `Not reached: ${silent}. `}\`handoff tasks --all\` lists every task.`,
  })
}

async function within<T>(work: Promise<T>, signal: AbortSignal, host: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(whyAborted(signal, host))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function whyAborted(signal: AbortSignal, host: string): AppError {
  const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
  if (!isLate) return new AppError({ code: 'cancelled', message: 'Cancelled.' })
  return new AppError({
    code: 'host_unreachable',
    message: `${host} did not answer in time.`,
    hint: `Check it with \`handoff host check ${host}\`.`,
  })
}

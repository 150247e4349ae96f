import { AppError } from '../../shared/errors.ts'
import type { Task } from '../../shared/domain/task.ts'
import { findTask } from './find-task.ts'
import type { HostClient } from './host-client.ts'
import type { HostStore } from '../../shared/node/hosts/host-store.ts'
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

/** What is asked of a host; the signal fires when it takes too long. */
export type Question<T> = (client: HostClient, host: string, signal: AbortSignal) => Promise<T>

/** What a host answered. */
export interface Answered<T> {
  host: string
  value: T
}

/** Asks one host with a time limit; never rejects with an AppError. */
export type Ask = <T>(host: string, question: Question<T>) => Promise<Answered<T> | Unreachable>

/** This machine's agentd and every configured host, asked one by one or all at once. */
export interface Fleet {
  /** The hosts a command is about: the one named by --host, or all of them. */
  names(): string[]
  /** A connection, opened at first use and kept until `close`. Throws AppError when the host cannot be reached. */
  open(host: string, options?: { signal?: AbortSignal }): Promise<HostClient>
  /** Ends and forgets a connection (one that broke), so that the next `open` makes a new one. */
  drop(host: string): void
  /** Asks all hosts at once with a time limit; who does not answer is named, not waited for. */
  askAll<T>(question: Question<T>): Promise<{ answers: Answered<T>[]; unreachable: Unreachable[] }>
  /** The one task that `ref` begins; throws task_not_found, task_ambiguous, or host_unreachable when it is known to live there. */
  findTask(ref: string): Promise<Found>
  close(): Promise<void>
}

const ASK_TIMEOUT_MS = 8_000

/** Opens hosts through `connect`, which gives up when its signal fires; nothing is contacted before it is needed. */
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
  connect: (host: string, signal: AbortSignal) => Promise<HostClient>
  askTimeoutMs?: number
}): Fleet {
  const opened = new Map<string, Opened>()
  const open: Fleet['open'] = (host, { signal } = {}) => {
    const { client } = opened.get(host) ?? begin(host)
    return signal === undefined ? client : within(client, signal, host)
  }
  const begin = (host: string): Opened => {
    const stop = new AbortController()
    const entry: Opened = { client: connect(host, stop.signal), stop, isOpen: false }
    opened.set(host, entry)
    entry.client.then(
      () => (entry.isOpen = true),
      () => opened.get(host) === entry && opened.delete(host),
    )
    return entry
  }
  const drop = (host: string) => {
    opened.get(host)?.stop.abort()
    opened.delete(host)
  }
  const names = () => {
    if (only === undefined) return ['local', ...store.list().map((host) => host.name)]
    // A name that nobody added is a slip, not a host that is away.
    return [only === 'local' ? only : store.get(only).name]
  }
  const ask: Ask = async (host, question) => {
    const signal = AbortSignal.timeout(askTimeoutMs)
    try {
      const client = await open(host, { signal })
      return { host, value: await within(question(client, host, signal), signal, host) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { host, error, knownAt: known.load(host)?.at }
    }
  }
  return {
    names,
    open,
    drop,
    async askAll(question) {
      const settled = await Promise.all(names().map((host) => ask(host, question)))
      return {
        answers: settled.filter((one) => 'value' in one),
        unreachable: settled.filter((one) => 'error' in one),
      }
    },
    async findTask(ref) {
      const found = await findTask({ ref, names: names(), known, ask })
      return { ...found, client: await open(found.host) }
    },
    async close() {
      const entries = [...opened.values()]
      opened.clear()
      // Who has not answered by now is not waited for.
      for (const entry of entries) if (!entry.isOpen) entry.stop.abort()
      const settled = await Promise.allSettled(entries.map((entry) => entry.client))
      await Promise.all(settled.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
    },
  }
}

interface Opened {
  client: Promise<HostClient>
  /** Ends the connection, or the attempt to make one. */
  stop: AbortController
  isOpen: boolean
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

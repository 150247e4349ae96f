import { setTimeout as delay } from 'node:timers/promises'
import { TASK_MARK } from '../../shared/domain/task.ts'
import { createProcessTable, type ProcessEntry, type ProcessTable } from './processes.ts'
import type { Tmux } from './tmux.ts'

/** What a clean-up ended, and what it could not end (a process stuck in the kernel). */
export interface Reaped {
  killed: number[]
  left: number[]
}

const GRACE_MS = 2_000
const POLL_MS = 25
const MAX_ROUNDS = 20
const EMPTY_LOOKS = 3
/** After a kill the kernel takes a moment to take a process away. */
const KILL_WAIT_MS = 3_000

interface EndCall {
  table: ProcessTable
  /** Everything that has to end, seen now. Called again until it finds nothing. */
  find: (known: readonly ProcessEntry[]) => ProcessEntry[]
  graceMs: number
}

/**
 * Ends everything that belongs to a task: its tmux session, every process that carries its mark in the environment,
 * their descendants, groups and sessions, also daemons that were started with `setsid`. Politely first, then by force.
 * Never touches agentd, its ancestors or the person's tmux server.
 */
export async function reapTask({
  taskId,
  session,
  tmux,
  graceMs = GRACE_MS,
}: {
  taskId: string
  session: string
  tmux: Pick<Tmux, 'serverPid' | 'panes' | 'killSession'>
  graceMs?: number
}): Promise<Reaped> {
  const table = createProcessTable()
  const server = await tmux.serverPid()
  const spared = sparedPids(table, server === undefined ? [] : [server])
  const panes = (await tmux.panes(session)) ?? []
  // Seen before the session is gone: a child without the mark is found only through its parent.
  const paneRoots = panes.flatMap(({ pid, dead }) => (dead ? [] : (table.find(pid) ?? [])))
  const before = withRelatives(table.list(), paneRoots, spared)
  await tmux.killSession(session)
  const mark = `${TASK_MARK}=${taskId}`
  return endAll({
    table,
    graceMs,
    find: (known) => {
      const all = table.list()
      const marked = all.filter(({ pid }) => !spared.has(pid) && table.hasMark(pid, mark))
      return withRelatives(all, [...marked, ...stillThere(all, [...before, ...known])], spared)
    },
  })
}

/** The processes that carry a task's mark now. */
export function survivors(taskId: string): number[] {
  const table = createProcessTable()
  const spared = sparedPids(table, [])
  return table
    .list()
    .filter(({ pid }) => !spared.has(pid) && table.hasMark(pid, `${TASK_MARK}=${taskId}`))
    .map(({ pid }) => pid)
}

/**
 * Ends a command and everything it started. `pid` should lead a process group of its own; what the command has put
 * elsewhere is found as its descendant.
 */
export async function killCommandTree(pid: number, graceMs = GRACE_MS): Promise<Reaped> {
  const table = createProcessTable()
  const spared = sparedPids(table, [])
  const root = table.find(pid)
  return endAll({
    table,
    graceMs,
    find: (known) => {
      const all = table.list()
      // The leader may be gone while its group lives on; the group's number cannot be given away before that.
      const group = all.filter((entry) => entry.group === pid)
      const roots = [...(root === undefined ? [] : [root]), ...known]
      return withRelatives(all, [...group, ...stillThere(all, roots)], spared)
    },
  })
}

async function endAll({ table, find, graceMs }: EndCall): Promise<Reaped> {
  const known: ProcessEntry[] = []
  const remember = (found: readonly ProcessEntry[]) => {
    for (const entry of found) if (!known.some((other) => isSame(other, entry))) known.push(entry)
  }
  let found = find(known)
  remember(found)
  for (const entry of found) {
    signal(table, entry, 'SIGTERM')
    // A stopped process hears nothing until it runs again.
    signal(table, entry, 'SIGCONT')
  }
  await untilGone(table, found, graceMs)
  found = await findSurely(find, known)
  for (let round = 1; found.length > 0 && round <= MAX_ROUNDS; round += 1) {
    remember(found)
    freeze({ table, find, known, remember })
    for (const entry of known) signal(table, entry, 'SIGKILL')
    await untilGone(table, known, KILL_WAIT_MS)
    found = await findSurely(find, known)
  }
  const left = found.map(({ pid }) => pid)
  return { killed: known.map(({ pid }) => pid).filter((pid) => !left.includes(pid)), left }
}

/** One look can miss a program that hands over to a child while the processes are listed; three in a row do not. */
async function findSurely(find: EndCall['find'], known: readonly ProcessEntry[]): Promise<ProcessEntry[]> {
  for (let look = 1; ; look += 1) {
    const found = find(known)
    if (found.length > 0 || look === EMPTY_LOOKS) return found
    await delay(POLL_MS)
  }
}

/** Stops everything before anything is killed, so that nothing can start something new meanwhile. */
function freeze(call: {
  table: ProcessTable
  find: EndCall['find']
  known: ProcessEntry[]
  remember: (found: readonly ProcessEntry[]) => void
}): void {
  const stopped = new Set<string>()
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const fresh = call.find(call.known).filter((entry) => !stopped.has(keyOf(entry)))
    if (fresh.length === 0) return
    call.remember(fresh)
    for (const entry of fresh) {
      stopped.add(keyOf(entry))
      signal(call.table, entry, 'SIGSTOP')
    }
  }
}

async function untilGone(
  table: ProcessTable,
  entries: readonly ProcessEntry[],
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const lives = (entry: ProcessEntry) => {
    const now = table.find(entry.pid)
    return now !== undefined && isSame(now, entry)
  }
  while (entries.some(lives) && performance.now() < deadline) await delay(POLL_MS)
}

/** Sends a signal unless the number belongs to another process by now. */
function signal(table: ProcessTable, entry: ProcessEntry, name: NodeJS.Signals): void {
  const now = table.find(entry.pid)
  if (now === undefined || !isSame(now, entry)) return
  try {
    process.kill(entry.pid, name)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** The given processes with all descendants and with the groups and sessions that one of them leads. */
function withRelatives(
  all: readonly ProcessEntry[],
  roots: readonly ProcessEntry[],
  spared: ReadonlySet<number>,
): ProcessEntry[] {
  const chosen = new Map(roots.filter(({ pid }) => !spared.has(pid)).map((entry) => [entry.pid, entry]))
  for (let grown = true; grown;) {
    grown = false
    for (const entry of all) {
      if (chosen.has(entry.pid) || spared.has(entry.pid)) continue
      if (![entry.parent, entry.group, entry.session].some((pid) => chosen.has(pid))) continue
      chosen.set(entry.pid, entry)
      grown = true
    }
  }
  return [...chosen.values()]
}

function stillThere(all: readonly ProcessEntry[], entries: readonly ProcessEntry[]): ProcessEntry[] {
  const keys = new Set(entries.map(keyOf))
  return all.filter((entry) => keys.has(keyOf(entry)))
}

/** agentd itself, all its ancestors, and whatever else is named. */
function sparedPids(table: ProcessTable, others: readonly number[]): Set<number> {
  const spared = new Set([0, 1, process.pid, process.ppid, ...others])
  let pid = process.ppid
  while (pid > 1) {
    spared.add(pid)
    pid = table.find(pid)?.parent ?? 0
  }
  return spared
}

function keyOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`
}

function isSame(one: ProcessEntry, other: ProcessEntry): boolean {
  return one.pid === other.pid && one.started === other.started
}

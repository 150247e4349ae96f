import { AppError } from '../../shared/errors.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import { ago } from '../output/time.ts'
import type { Answered, Ask, Unreachable } from './fleet.ts'
import type { HostClient } from './host-client.ts'
import type { KnownTasks } from './known-tasks.ts'
import { pause } from './retry.ts'

/** Where a task lives. */
export interface TaskPlace {
  host: string
  task: Task
}

interface Search {
  ref: string
  names: readonly string[]
  known: KnownTasks
  ask: Ask
}

/** A beginning of an id this long fits no second task by chance, so the host that is known to have it is asked alone. */
const SURE_LENGTH = 8
/** Once one host has the task, how long the others may take to say that they have one too. */
const OTHERS_MS = 1_500

/**
 * The one task that a reference begins. A task seen before is asked for where it was seen, over one connection; otherwise
 * all hosts are asked at once. Throws usage, task_not_found, task_ambiguous, or host_unreachable when it is known to live
 * on a host that does not answer.
 */
export async function findTask({ ref: text, names, known, ask }: Search): Promise<TaskPlace> {
  const search = { ref: taskRefOf(text), names, known, ask }
  const home = knownHome(search)
  if (home !== undefined) {
    const answer = await ask(home, question(search.ref))
    if ('error' in answer) throw notFound(search, [answer], [])
    const [first] = placesOf([answer])
    if (first !== undefined) return pick(search.ref, placesOf([answer]))
  }
  const settled = await enough(
    names.map((host) => ask(host, question(search.ref))),
    (one) => 'value' in one && one.value.length > 0,
  )
  const answers = settled.filter((one) => 'value' in one)
  const places = [...placesOf(answers), ...silentPlaces(search, settled)]
  if (placesOf(answers).length > 0) return pick(search.ref, places)
  const unreachable = settled.filter((one) => 'error' in one)
  throw notFound(
    search,
    unreachable,
    answers.map(({ host }) => host),
  )
}

const question = (ref: string) => async (client: HostClient, _host: string, signal: AbortSignal) =>
  (await client.call('task.find', { ref, limit: 10 }, { signal })).tasks

function placesOf(answers: readonly Answered<Task[]>[]): TaskPlace[] {
  return answers.flatMap(({ host, value }) => value.map((task) => ({ host, task })))
}

/** The only host on which a task with this beginning was seen. */
function knownHome({ ref, names, known }: Search): string | undefined {
  if (ref.length < SURE_LENGTH) return undefined
  const homes = names.filter((host) => known.load(host)?.tasks.some((task) => task.id.startsWith(ref)))
  return homes.length === 1 ? homes[0] : undefined
}

/** What is known of hosts that were not waited for: a beginning that fits a task there is not clear. */
function silentPlaces({ ref, names, known }: Search, settled: readonly { host: string }[]): TaskPlace[] {
  const silent = names.filter((name) => !settled.some(({ host }) => host === name))
  return silent.flatMap((host) =>
    (known.load(host)?.tasks ?? []).filter((task) => task.id.startsWith(ref)).map((task) => ({ host, task })),
  )
}

/** What has come when all is there, or a little after something came that is enough. */
async function enough<T>(work: readonly Promise<T>[], isEnough: (value: T) => boolean): Promise<T[]> {
  const settled: T[] = []
  const rest = new AbortController()
  const all = Promise.all(work.map(async (one) => void settled.push(await one)))
  const one = new Promise<void>((resolve) => {
    for (const each of work)
      each.then(
        (value) => isEnough(value) && resolve(),
        () => undefined,
      )
  })
  try {
    await Promise.race([all, one.then(() => pause(OTHERS_MS, rest.signal))])
  } finally {
    rest.abort()
  }
  return [...settled]
}

function pick(ref: string, places: readonly TaskPlace[]): TaskPlace {
  const exact = places.find(({ task }) => task.id === ref)
  const [first, ...others] = exact === undefined ? places : [exact]
  if (first === undefined || others.length > 0) throw ambiguous(ref, places)
  return first
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

function notFound({ ref, known }: Search, unreachable: readonly Unreachable[], answered: string[]): AppError {
  for (const { host, error } of unreachable) {
    const last = known.load(host)
    const task = last?.tasks.find((one) => one.id.startsWith(ref))
    if (last === undefined || task === undefined) continue
    const knownAt = last.seenAt(task.id)
    return new AppError(
      {
        code: 'host_unreachable',
        message: `Task ${shortId(task.id)} lives on ${host} (last seen ${ago(knownAt, Date.now())}), which cannot be reached: ${error.message}`,
        hint: `${error.hint === undefined ? '' : `${error.hint}\n`}Run this again when \`handoff host check ${host}\` is content; \`handoff show ${shortId(task.id)}\` tells what was last known.`,
        details: { host, task, knownAt },
      },
      { cause: error },
    )
  }
  const [first] = unreachable
  if (answered.length === 0 && first !== undefined) return first.error
  const silent = unreachable.map(({ host }) => host).join(', ')
  return new AppError({
    code: 'task_not_found',
    message: `No task begins with ${ref}${silent === '' ? '' : ` on the hosts that answered (${answered.join(', ')})`}.`,
    hint: `${silent === '' ? '' : `Not reached: ${silent}. `}\`handoff tasks --all\` lists every task.`,
  })
}

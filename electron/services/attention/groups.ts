import { INBOX_ROUTE, taskRoute } from '../../../shared/ipc/routes.ts'
import type { Subject } from './subjects.ts'
import type { AttentionInput, WishedNotification } from './types.ts'
import { hostLabel, shortLine } from './wishes.ts'
import { type Words, wordsOf } from '../words/words.ts'

const MAX_NAMED = 3
const TITLE_COLUMNS = 100
const BODY_COLUMNS = 240

/** Whether a key names a group. */
export function isGroupKey(key: string): boolean {
  return key.startsWith('group:')
}

/** One notification that stands for several things: how many, and of which tasks. */
export function groupWish(
  why: 'burst' | 'quiet',
  members: readonly Subject[],
  { now, language, memory }: Pick<AttentionInput, 'now' | 'language' | 'memory'>,
): WishedNotification {
  const words = wordsOf(language)
  const reviews = members.filter(({ kind }) => kind === 'review').length
  const troubles = members.filter(({ kind }) => kind === 'trouble').length
  const tally = { decisions: members.length - reviews - troubles, reviews, troubles }
  const hosts = new Set(members.map(({ host }) => host))
  return {
    key: freshKey(`group:${why}:${now}`, memory),
    kind: 'group',
    title: shortLine(groupTitle(why, tally, words), TITLE_COLUMNS),
    body: shortLine(bodyOf(members, words), BODY_COLUMNS),
    route: groupRoute(members),
    actions: [{ id: 'open', label: words('decide.open') }],
    reply: false,
    host: hosts.size === 1 ? (members[0]?.host ?? '') : '',
    members: members.map(({ key }) => key),
  }
}

/** How many things of which kind there are, as a sentence; at least one of the counts is above zero. */
export function groupTitle(
  why: 'burst' | 'quiet',
  tally: Record<'decisions' | 'reviews' | 'troubles', number>,
  words: Words,
): string {
  const parts = (['decisions', 'reviews', 'troubles'] as const)
    .filter((kind) => tally[kind] > 0)
    .map((kind) => words(`group.${kind}`, { count: tally[kind] }))
  const last = parts.pop() ?? ''
  const what = parts.length === 0 ? last : [parts.join(words('group.comma')), last].join(words('group.and'))
  if (why === 'quiet') return words('group.afterQuiet', { what })
  return words('group.burst', { what, count: tally.decisions + tally.reviews + tally.troubles })
}

/** Where a group leads: its task when all of it belongs to one, else the inbox. */
export function groupRoute(members: readonly Subject[]): string {
  const [first] = members
  const isOneTask =
    first?.taskId !== undefined &&
    members.every(({ host, taskId }) => host === first.host && taskId === first.taskId)
  return isOneTask && first?.taskId !== undefined ? taskRoute(first.host, first.taskId) : INBOX_ROUTE
}

function bodyOf(members: readonly Subject[], words: Words): string {
  const byTask = new Map<string, { first: Subject; count: number }>()
  for (const member of members) {
    const of = `${member.host}/${member.taskId ?? ''}`
    const task = byTask.get(of)
    if (task) task.count += 1
    else byTask.set(of, { first: member, count: 1 })
  }
  const tasks = [...byTask.values()].sort((a, b) => b.count - a.count)
  const named = tasks
    .slice(0, MAX_NAMED)
    .map(({ first, count }) =>
      first.taskId === undefined
        ? first.taskTitle()
        : words('group.ofTask', { title: first.taskTitle(), host: hostLabel(first.host, words), count }),
    )
  const rest = tasks.length - MAX_NAMED
  return [...named, ...(rest > 0 ? [words('group.moreTasks', { count: rest })] : [])].join(', ')
}

/** A clock that was set back must not make a group look like one that was shown before. */
function freshKey(key: string, memory: AttentionInput['memory']): string {
  if (!memory.has(key)) return key
  let number = 2
  while (memory.has(`${key}-${number}`)) number += 1
  return `${key}-${number}`
}

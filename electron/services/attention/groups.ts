import { INBOX_ROUTE, taskRoute } from '../../../shared/ipc/routes.ts'
import type { Subject } from './subjects.ts'
import type { AttentionInput, WishedNotification } from './types.ts'
import { hostLabel, shortLine } from './wishes.ts'
import { wordsOf } from './words.ts'

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
    title: shortLine(why === 'burst' ? words.burst(tally) : words.afterQuiet(tally), TITLE_COLUMNS),
    body: shortLine(bodyOf(members, language), BODY_COLUMNS),
    route: groupRoute(members),
    actions: [{ id: 'open', label: words.open }],
    reply: false,
    host: hosts.size === 1 ? (members[0]?.host ?? '') : '',
    members: members.map(({ key }) => key),
  }
}

/** Where a group leads: its task when all of it belongs to one, else the inbox. */
export function groupRoute(members: readonly Subject[]): string {
  const [first] = members
  const isOneTask =
    first?.taskId !== undefined &&
    members.every(({ host, taskId }) => host === first.host && taskId === first.taskId)
  return isOneTask && first?.taskId !== undefined ? taskRoute(first.host, first.taskId) : INBOX_ROUTE
}

function bodyOf(members: readonly Subject[], language: 'en' | 'zh'): string {
  const words = wordsOf(language)
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
        ? first.taskTitle
        : words.ofTask(first.taskTitle, hostLabel(first.host, words), count),
    )
  const rest = tasks.length - MAX_NAMED
  return [...named, ...(rest > 0 ? [words.moreTasks(rest)] : [])].join(', ')
}

/** A clock that was set back must not make a group look like one that was shown before. */
function freshKey(key: string, memory: AttentionInput['memory']): string {
  if (!memory.has(key)) return key
  let number = 2
  while (memory.has(`${key}-${number}`)) number += 1
  return `${key}-${number}`
}

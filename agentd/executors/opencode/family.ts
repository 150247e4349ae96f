import { isNotFound, type OpencodeApi } from './api.ts'
import { oneLine } from './translate.ts'
import type { SessionInfo } from './wire.ts'

/** The task's session and the sessions of its sub-agents, which opencode reports on under ids of their own. */
export function createFamily(root: string) {
  const names = new Map<string, string | undefined>([[root, undefined]])
  const strangers = new Set<string>()

  function add(info: SessionInfo): boolean {
    if (names.has(info.id)) return true
    if (info.parentID === undefined || !names.has(info.parentID)) return false
    names.set(info.id, nameOf(info))
    strangers.delete(info.id)
    return true
  }

  return {
    root,
    has: (sessionId: string) => names.has(sessionId),
    members: () => [...names.keys()],
    /** Name of the sub-agent that a session belongs to; nothing for the task's own. */
    subagent: (sessionId: string) => names.get(sessionId),
    /** Takes note of a new session; sessions of others are not taken. */
    add,
    /** Reads all sub-agents' sessions, at any depth. */
    async refresh(api: OpencodeApi): Promise<void> {
      const queue = [root]
      const seen = new Set(queue)
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        for (const child of await api.children(id)) {
          if (seen.has(child.id)) continue
          seen.add(child.id)
          add({ ...child, parentID: child.parentID ?? id })
          queue.push(child.id)
        }
      }
    },
    /** Whether a session belongs to the task, found out by its parents where it is not known yet. */
    async belongs(api: OpencodeApi, sessionId: string): Promise<boolean> {
      if (names.has(sessionId)) return true
      if (strangers.has(sessionId)) return false
      const line: SessionInfo[] = []
      let next: string | undefined = sessionId
      while (next !== undefined && !names.has(next) && line.length < 20) {
        const info: SessionInfo | undefined = await find(api, next)
        if (info === undefined) break
        line.unshift(info)
        next = info.parentID
      }
      for (const info of line) add(info)
      if (!names.has(sessionId)) strangers.add(sessionId)
      return names.has(sessionId)
    },
  }
}
export type Family = ReturnType<typeof createFamily>

async function find(api: OpencodeApi, sessionId: string): Promise<SessionInfo | undefined> {
  try {
    return await api.session(sessionId)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function nameOf({ agent, title }: SessionInfo): string {
  const about = title.replace(/\s*\(@\S+ subagent\)$/, '')
  return oneLine([agent ?? 'sub-agent', about].filter((text) => text !== '').join(': '), 200)
}

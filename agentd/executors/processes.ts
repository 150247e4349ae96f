import { readdirSync, readFileSync, statSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

/** One running process of this user. `started` tells it from a later process with the same number. */
export interface ProcessEntry {
  pid: number
  parent: number
  group: number
  session: number
  started: string
}

/** A look at the running processes of this user. */
export interface ProcessTable {
  list(): ProcessEntry[]
  /** The process as it is now; `undefined` when it is gone or a zombie. */
  find(pid: number): ProcessEntry | undefined
  /** Whether the environment the process was started with holds exactly this `NAME=value`. */
  hasMark(pid: number, mark: string): boolean
}

/** The table of this system: /proc on Linux, `ps` elsewhere. */
export function createProcessTable(): ProcessTable {
  return process.platform === 'linux' ? createProcTable('/proc') : createPsTable()
}

function createProcTable(root: string): ProcessTable {
  const uid = process.getuid?.()

  function find(pid: number): ProcessEntry | undefined {
    try {
      if (statSync(`${root}/${pid}`).uid !== uid) return undefined
      return parseStat(readFileSync(`${root}/${pid}/stat`, 'latin1'))
    } catch (error) {
      return whenGone(error, undefined)
    }
  }

  return {
    find,
    list: () => readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? (find(Number(name)) ?? []) : [])),
    hasMark(pid, mark) {
      try {
        return readFileSync(`${root}/${pid}/environ`, 'latin1').split('\0').includes(mark)
      } catch (error) {
        return whenGone(error, false)
      }
    },
  }
}

/** Reads /proc/<pid>/stat (proc_pid_stat(5)); the program's name in parentheses may hold anything. Zombies are gone. */
export function parseStat(text: string): ProcessEntry | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group, session] = fields
  if (state === 'Z' || state === 'X') return undefined
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: fields[19] ?? '',
  }
}

/** A process may end between two reads; a process that may not be read is not ours. */
function whenGone<T>(error: unknown, answer: T): T {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return answer
  throw error
}

function createPsTable(): ProcessTable {
  const columns = ['-o', 'pid=,ppid=,pgid=,sess=,stat=,lstart=']
  const ps = (args: readonly string[]): string => {
    try {
      return execFileSync('ps', args, {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } catch (error) {
      // ps exits 1 when it was asked about a process that is gone.
      if ((error as { status?: unknown }).status === 1) return ''
      throw error
    }
  }
  return {
    list: () => parsePs(ps(['-x', ...columns])),
    find: (pid) => parsePs(ps([...columns, '-p', String(pid)]))[0],
    hasMark(pid, mark) {
      const plain = ps(['-ww', '-o', 'command=', '-p', String(pid)]).trimEnd()
      const withEnvironment = ps(['-E', '-ww', '-o', 'command=', '-p', String(pid)]).trimEnd()
      return markInPs({ plain, withEnvironment, mark })
    },
  }
}

/** `ps -E` prints the environment behind the arguments; arguments that merely mention the mark do not count. */
export function markInPs(call: { plain: string; withEnvironment: string; mark: string }): boolean {
  if (!call.withEnvironment.startsWith(call.plain)) return false
  return call.withEnvironment.slice(call.plain.length).split(' ').includes(call.mark)
}

/** Reads the lines of `ps -o pid=,ppid=,pgid=,sess=,stat=,lstart=`. */
export function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, session, state, ...started] = line.trim().split(/\s+/)
    if (pid === undefined || pid === '' || state === undefined || state.startsWith('Z')) return []
    // macOS prints 0 or a kernel address as the session; only a number that names a process is of use.
    const sessionId = /^\d+$/.test(session ?? '') ? Number(session) : 0
    return [
      {
        ...{ pid: Number(pid), parent: Number(parent), group: Number(group) },
        ...{ session: sessionId, started: started.join(' ') },
      },
    ]
  })
}

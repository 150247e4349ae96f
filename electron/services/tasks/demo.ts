import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { planTitle } from '../../../shared/domain/plan-title.ts'
import { isOver } from '../../../shared/domain/task.ts'
import type { IpcOutput } from '../../../shared/ipc.ts'
import { deskDemoPlan } from '../../../shared/node/demo/plan.ts'
import { makeDemoRepository } from '../../../shared/node/demo/repository.ts'
import { runGit } from '../../../shared/node/git/run.ts'
import { readDispensable, writePrivateFile } from '../../../shared/node/private-file.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import { callAgain, newRequestId } from './ask-host.ts'

const START_TIMEOUT_MS = 30_000
/** A folder without a task is left of a start that failed; a younger one may be a start that goes on. */
const ABANDONED_AFTER_MS = 60 * 60_000

const noteSchema = z.object({ v: z.literal(1), taskId: z.uuid().optional(), at: z.number().int() })

interface Needs {
  home: string
  cache: Pick<Cache, 'task' | 'put'>
  hosts: HostService
  /** `fast` leaves out the pauses that make it pleasant to watch; for tests. */
  pace: 'watch' | 'fast'
  now: () => number
}

/** The first task of somebody new. */
export type Demo = ReturnType<typeof createDemo>

/** Makes throw-away repositories below `<home>/desk/demo` and dispatches the scripted executor into them. */
export function createDemo({ home, cache, hosts, pace, now }: Needs) {
  const root = join(home, 'desk', 'demo')
  const notePath = (id: string) => join(root, id, 'demo.json')

  return {
    async start(): Promise<IpcOutput<'demo.start'>> {
      await hosts.whenLive('local', START_TIMEOUT_MS)
      const id = randomBytes(4).toString('hex')
      const repo = join(root, id, 'greeter')
      const outside = join(root, id, 'old-greetings')
      await mkdir(outside, { recursive: true, mode: 0o700 })
      writePrivateFile(notePath(id), JSON.stringify({ v: 1, at: now() }))
      await makeDemoRepository(repo, (...args) => runGit({ cwd: repo, args }))
      const plan = deskDemoPlan({ outside, pace })
      const { task } = await callAgain({
        hosts,
        host: 'local',
        name: 'task.dispatch',
        input: {
          requestId: newRequestId(),
          title: planTitle(plan),
          plan,
          executor: 'demo',
          repo: { kind: 'path', path: repo },
        },
      })
      writePrivateFile(notePath(id), JSON.stringify({ v: 1, at: now(), taskId: task.id }))
      cache.put('local', task)
      return { host: 'local', task }
    },
    /** The paths that are not repositories of a demo, which nobody wants to work in again. */
    async without(paths: readonly string[]): Promise<string[]> {
      // A host tells paths without links.
      const roots = [root, await realpath(root).catch(() => root)]
      return paths.filter((path) => !roots.some((one) => path.startsWith(one + sep)))
    },
    /** Removes repositories of demos that are over. Call it when the local host is live, so that what is over is known. */
    async clean(): Promise<void> {
      const ids = await readdir(root).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      for (const id of ids.filter((name) => /^[0-9a-f]{8}$/.test(name))) {
        const note = readDispensable(notePath(id), noteSchema)
        const task = note?.taskId === undefined ? undefined : cache.task('local', note.taskId)
        const over = task === undefined ? now() - (note?.at ?? 0) > ABANDONED_AFTER_MS : isOver(task.state)
        if (over) await rm(join(root, id), { recursive: true, force: true })
      }
    },
  }
}

import { describe, expect, it } from 'vitest'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { SHA, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createDiffReader } from './diff.ts'

const ENDS = { from: SHA, to: 'worktree', uncommitted: true }
const FILES = ['a', 'b', 'c'].map((name) => `diff --git a/${name} b/${name}\n+深色模式 ${name}\n`)

function reader(maxBytes: number, chunkBytes: number) {
  const modes: string[] = []
  const played = createPlayedHosts({
    local: {
      answers: {
        async 'task.diff'({ mode }, { onChunk, signal }) {
          modes.push(mode)
          const bytes = Buffer.from(FILES.join(''))
          for (let at = 0; mode === 'full' && at < bytes.length; at += chunkBytes) {
            signal?.throwIfAborted()
            await onChunk?.(bytes.subarray(at, at + chunkBytes), 'bytes')
          }
          return ENDS
        },
      },
    },
  })
  const jobs = createJobs({ publish: () => undefined })
  const read = createDiffReader({ hosts: played.hosts, jobs, maxBytes })
  return { read: () => read({ host: 'local', taskId: TASK_ID, jobId: 'diff-1' }), modes, jobs, played }
}

describe('reading a diff', () => {
  it('puts characters together that were cut in two on the way', async () => {
    const { read, modes } = reader(1_000_000, 1)
    expect(await read()).toEqual({ ...ENDS, diff: FILES.join(''), cut: false })
    expect(modes).toEqual(['full'])
  })

  it('ends a diff that is too long between two files, and says so', async () => {
    const { read, modes } = reader(Buffer.byteLength(FILES[0] ?? '') + 20, 7)
    expect(await read()).toEqual({ ...ENDS, diff: FILES[0], cut: true })
    expect(modes).toEqual(['full', 'name-only'])
  })

  it('says at once when the host is away', async () => {
    const { read, played } = reader(1_000, 100)
    played.takeAway('local')
    await expect(read()).rejects.toMatchObject({ code: 'host_unreachable' })
    expect(played.asked).toEqual([])
  })
})

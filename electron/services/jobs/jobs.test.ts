import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors.ts'
import { ipcEvents } from '../../../shared/ipc.ts'
import { createJobs, type JobEvent } from './jobs.ts'
import type { JobHandle } from './types.ts'

function setUp() {
  const events: JobEvent[] = []
  const clock = { now: 1_000 }
  const jobs = createJobs({ publish: (event) => events.push(event), now: () => clock.now })
  return { jobs, events, clock }
}

/** Work that lasts until it is cancelled. */
const endless = ({ signal }: JobHandle) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
  })
const withCode = (code: string) => expect.objectContaining({ code }) as unknown

describe('a job', () => {
  it('answers what its work answers, and its id is free again', async () => {
    const { jobs } = setUp()
    await expect(jobs.run('j1', () => Promise.resolve(7))).resolves.toBe(7)
    await expect(jobs.run('j1', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(jobs.run('j1', () => Promise.resolve(8))).resolves.toBe(8)
    expect(jobs.cancel('j1')).toBe(false)
  })

  it('is refused under an id that is running', async () => {
    const { jobs } = setUp()
    const first = jobs.run('j1', endless)
    await expect(jobs.run('j1', () => Promise.resolve(1))).rejects.toEqual(withCode('bad_request'))
    expect(jobs.cancel('j1')).toBe(true)
    await expect(first).rejects.toEqual(withCode('cancelled'))
  })

  it('keeps the cancelled error of its work', async () => {
    const { jobs } = setUp()
    const own = new AppError({ code: 'cancelled', message: 'Stopped; nothing was sent.' })
    const job = jobs.run(
      'j1',
      ({ signal }) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(own))),
    )
    jobs.cancel('j1')
    await expect(job).rejects.toBe(own)
  })

  it('that finished in spite of a cancel is finished', async () => {
    const { jobs } = setUp()
    const job = jobs.run(
      'j1',
      ({ signal }) =>
        new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('done'))),
    )
    jobs.cancel('j1')
    await expect(job).resolves.toBe('done')
  })

  it('tells its progress: each step, its end, and not every byte', async () => {
    const { jobs, events, clock } = setUp()
    await jobs.run('j1', ({ progress }) => {
      progress({ step: 'packing' })
      for (let done = 0; done <= 1_000; done += 1) {
        if (done % 100 === 0) clock.now += 30
        progress({ step: 'sending', done, total: 1_000 })
      }
      return Promise.resolve()
    })
    const steps = events.flatMap((event) => (event.name === 'job.progress' ? [event.payload] : []))
    expect(steps[0]).toEqual({ jobId: 'j1', step: 'packing' })
    expect(steps.at(-1)).toEqual({ jobId: 'j1', step: 'sending', done: 1_000, total: 1_000 })
    expect(steps.length).toBeLessThan(10)
  })

  it('shows every step of an install', async () => {
    const { jobs, events } = setUp()
    await jobs.run('j1', ({ progress }) => {
      for (const id of ['reach', 'inspect', 'copy'] as const)
        progress({ step: 'install', install: { id, state: 'done' } })
      return Promise.resolve()
    })
    expect(events).toHaveLength(3)
  })

  it('cuts long output to what an event may carry, and loses and splits nothing', async () => {
    const { jobs, events } = setUp()
    const text = `x${'😀'.repeat(400_000)}`
    await jobs.run('j1', ({ output }) => Promise.resolve(output('stdout', text)))
    const chunks = events.flatMap((event) => (event.name === 'run.output' ? [event.payload] : []))
    expect(chunks.map(({ chunk }) => chunk).join('')).toBe(text)
    for (const payload of chunks) {
      expect(ipcEvents['run.output'].safeParse(payload).success).toBe(true)
      expect(payload.chunk).not.toMatch(/\p{Surrogate}/u)
    }
  })

  it('says nothing after its end', async () => {
    const { jobs, events } = setUp()
    const handle = await jobs.run('j1', (job) => Promise.resolve(job))
    const next = jobs.run('j1', endless)
    handle.progress({ step: 'sending' })
    handle.output('stderr', 'late')
    expect(events).toEqual([])
    jobs.dispose()
    await expect(next).rejects.toEqual(withCode('cancelled'))
  })

  it('is cancelled when the desk ends, and none begins after', async () => {
    const { jobs } = setUp()
    const job = jobs.run('j1', endless)
    jobs.dispose()
    await expect(job).rejects.toEqual(withCode('cancelled'))
    await expect(jobs.run('j2', () => Promise.resolve(1))).rejects.toEqual(withCode('cancelled'))
  })
})

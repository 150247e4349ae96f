import { describe, expect, it, onTestFinished } from 'vitest'
import { requires } from '../../tests/support/requirements.ts'
import { createTmuxPlace } from '../../tests/support/tmux.ts'
import { createTmuxRun } from './run-tmux.ts'

const needs = requires('tmux')

describe.skipIf(needs.skip)(needs.title('a tmux server that hangs'), () => {
  it('is given up, although it keeps the output of who asked it open', async () => {
    const place = await createTmuxPlace()
    onTestFinished(place.dispose)
    const { environment } = place
    await createTmuxRun({ environment })(['new-session', '-d', '-s', 'one', 'exec sleep 600'])
    const run = createTmuxRun({ environment, timeoutMs: 500 })
    const pid = Number((await run(['display-message', '-p', '#{pid}'])).stdout)
    process.kill(pid, 'SIGSTOP')
    try {
      await expect(run(['list-sessions'])).rejects.toMatchObject({
        code: 'executor_failed',
        message: expect.stringContaining('within 0.5 s') as string,
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect((await createTmuxRun({ environment })(['has-session', '-t', '=one'])).ok).toBe(true)
  })
})

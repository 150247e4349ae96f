import { describe, expect, it } from 'vitest'
import { refuseOwnTask } from './own-task.ts'

const TASK = '3fa2c1d0-0000-4000-8000-000000000000'

describe('an executor', () => {
  it('cannot decide about its own task', () => {
    expect(() => refuseOwnTask({ HANDOFF_TASK: TASK }, TASK)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
  })

  it('may review a task that it handed to somebody else', () => {
    expect(() => refuseOwnTask({ HANDOFF_TASK: TASK }, TASK.replace('3', '4'))).not.toThrow()
  })
})

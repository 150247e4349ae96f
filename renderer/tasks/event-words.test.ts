import { expect, it } from 'vitest'
import type { WireEvent } from '../../shared/protocol/records.ts'
import type { Translate } from '../i18n/i18n.ts'
import { eventLine } from './event-words.ts'

const t = ((key: string) => key) as Translate
const taskId = '3fa2c1d0-0000-4000-8000-000000000000'
const escalated: WireEvent = {
  seq: 1,
  taskId,
  at: 0,
  type: 'escalated',
  body: { ticketId: `${taskId}:q1`, why: 'not mine to say', by: { kind: 'agentd' } },
}

it('calls for attention only while the ticket is open', () => {
  expect(eventLine(escalated, t, new Set([`${taskId}:q1`])).tone).toBe('warn')
  expect(eventLine(escalated, t, new Set([`${taskId}:q2`])).tone).toBe('neutral')
})

it('marks what has failed, with the exit code where there is one', () => {
  const progress = (failed: object | undefined) =>
    eventLine(
      { seq: 2, taskId, at: 0, type: 'progress', body: { kind: 'tool', text: 'npm test', failed } },
      t,
      new Set(),
    )
  expect(progress({ exitCode: 1 })).toMatchObject({ tone: 'danger', failure: 'tasks.event.exit_code' })
  expect(progress({})).toMatchObject({ tone: 'danger', failure: 'tasks.event.tool_failed' })
  expect(progress(undefined)).toMatchObject({ tone: 'neutral' })
  expect(progress(undefined).failure).toBeUndefined()
})

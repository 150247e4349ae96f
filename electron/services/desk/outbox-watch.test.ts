import { expect, it } from 'vitest'
import { TASK_ID } from '../../../tests/support/sample-facts.ts'
import type { OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { watchOutbox } from './outbox-watch.ts'

it('tells of every task whose answer waits, or has just ceased to', () => {
  const entry: OutboxEntry = {
    id: '0196f7a2-6d5a-7c31-9d6e-1f2a3b4c5d6e',
    host: 'box',
    taskId: TASK_ID,
    ticketId: `${TASK_ID}:q1`,
    state: 'queued',
    createdAt: 1,
    answer: { kind: 'text', text: 'yes' },
  }
  let entries: OutboxEntry[] = []
  let change = (_host: string): void => undefined
  const heard: string[][] = []
  watchOutbox({
    outbox: {
      list: () => entries,
      onChange(listener) {
        change = listener
        return () => undefined
      },
      onOutcome: () => () => undefined,
    },
    onChange: (tasks: ReadonlySet<string>) => void heard.push([...tasks]),
    notify: () => undefined,
  })
  entries = [entry]
  change('box')
  entries = []
  change('box')
  change('box')
  expect(heard).toEqual([[`box/${TASK_ID}`], [`box/${TASK_ID}`], []])
})

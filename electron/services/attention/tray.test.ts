import { describe, expect, it } from 'vitest'
import { NOON, quietState, waitingTicket } from '../../../tests/support/attention-state.ts'
import { question, reviewer, sampleTask, user } from '../../../tests/support/sample-facts.ts'
import { attend } from './attention.ts'
import type { TrayEntry } from './types.ts'

const review = { kind: 'review' as const, round: 1, text: 'Done.' }
const labels = (menu: TrayEntry[]) => menu.map((entry) => (entry.kind === 'separator' ? '--' : entry.label))

describe('the tray', () => {
  it('says that nothing waits, and what runs', () => {
    const attention = attend(quietState({ running: 2 }))
    expect(attention).toMatchObject({ badge: 0, trayTitle: '', mood: 'quiet' })
    expect(attention.tooltip).toBe('Handoff\nNothing needs you.\n2 tasks are running.')
    expect(labels(attention.menu)).toEqual(['Nothing needs you.', '--', '2 tasks are running.'])
  })

  it('counts decisions, lists them newest first with their buttons, then reviews, then trouble', () => {
    const open = [
      waitingTicket({ ticket: { openedAt: NOON - 120_000 } }),
      waitingTicket({ id: 'q', ask: question({ text: 'Lock after 5 or 10?' }) }),
      waitingTicket({ id: 'r', ask: review, task: { title: 'Export to CSV', dispatchedBy: user } }),
      waitingTicket({ id: 'r2', ask: review, task: { title: 'Of an agent', dispatchedBy: reviewer } }),
    ]
    const troubled = [{ host: 'gpu-1', task: sampleTask(), kind: 'offline' as const, since: NOON }]
    const attention = attend(quietState({ open, troubled, running: 1 }))
    expect(attention).toMatchObject({ badge: 2, trayTitle: '2', mood: 'waiting' })
    expect(labels(attention.menu)).toEqual([
      '2 need you',
      'Lock after 5 or 10? · Login throttling · devbox',
      'npm test · Login throttling · devbox',
      '--',
      'Export to CSV is ready for review',
      '--',
      'The executor of Add a greeting is offline',
      '--',
      '1 task is running.',
    ])
    expect(attention.menu[1]).toMatchObject({
      kind: 'ticket',
      actions: [{ label: 'red' }, { label: 'blue' }],
    })
  })

  it('stays short, however much waits', () => {
    const open = Array.from({ length: 60 }, (_, index) => waitingTicket({ id: `p${index}` }))
    const reviews = Array.from({ length: 9 }, (_, index) =>
      waitingTicket({ id: `r${index}`, ask: review, task: { dispatchedBy: user } }),
    )
    const hosts = Array.from({ length: 9 }, (_, index) => ({
      name: `h${index}`,
      isOffline: true,
      since: NOON - 90_000,
      openTasks: 0,
      mayAnswer: true,
    }))
    const { badge, menu } = attend(quietState({ open: [...open, ...reviews], hosts }))
    expect(badge).toBe(60)
    expect(menu.filter(({ kind }) => kind === 'ticket')).toHaveLength(8)
    expect(labels(menu)).toContain('52 more in the inbox')
    expect(labels(menu)).toContain('4 more in the inbox')
    expect(menu.length).toBeLessThan(25)
  })

  it('speaks Chinese', () => {
    const { tooltip, menu } = attend(
      quietState({ language: 'zh', open: [waitingTicket({ host: 'local' })], running: 3 }),
    )
    expect(tooltip).toBe('Handoff\n1 项等你处理\n3 个任务正在运行。')
    expect(menu[1]).toMatchObject({ actions: [{ label: '批准一次' }, { label: '拒绝' }] })
  })

  it('is waiting rather than offline when both are true', () => {
    const hosts = [{ name: 'gpu-1', isOffline: true, since: NOON - 90_000, openTasks: 1, mayAnswer: true }]
    expect(attend(quietState({ open: [waitingTicket()], hosts })).mood).toBe('waiting')
  })
})

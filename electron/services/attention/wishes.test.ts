import { describe, expect, it } from 'vitest'
import { notifying, quietState, waitingTicket } from '../../../tests/support/attention-state.ts'
import { permission, question, sampleTask, user } from '../../../tests/support/sample-facts.ts'
import { displayWidth } from '../../../shared/domain/text-width.ts'
import type { Ask } from '../../../shared/domain/ticket.ts'
import { routeSchema } from '../../../shared/ipc/views.ts'
import { attend } from './attention.ts'
import { wordsOf } from '../words/words.ts'
import { groupTitle } from './groups.ts'
import type { AttentionInput } from './types.ts'

function only(ask: Ask, change: Partial<AttentionInput> = {}) {
  const [wish] = attend(
    quietState({ open: [waitingTicket({ ask, task: { dispatchedBy: user } })], ...change }),
  ).show
  if (!wish) throw new Error('nothing was shown')
  return wish
}

const dangerous = (text: string, reason?: string): Ask => ({
  ...permission('dangerous'),
  text,
  risk: { level: 'dangerous', ...(reason === undefined ? {} : { reason }) },
})
const labels = (wish: { actions: { id: string; label: string }[] }) =>
  wish.actions.map(({ id, label }) => `${id}: ${label}`)

describe('buttons', () => {
  it.each([
    ['longer than what is shown', { text: `npm test -- ${'a'.repeat(300)}` }],
    ['more than one line', { text: 'npm test\nrm x' }],
    ['an edit, whose changes are not shown', { action: 'edit' as const, text: 'src/a.ts', diff: '+x' }],
  ])('approve nothing that is %s', (_, change) => {
    expect(labels(only({ ...permission(), ...change } as Ask))).toEqual(['open: Open', 'deny: Deny'])
  })

  it('approve what is routine, and never what is dangerous', () => {
    expect(labels(only(permission()))).toEqual(['approve: Approve once', 'deny: Deny'])
    expect(labels(only(dangerous('rm -rf /')))).toEqual(['open: Open', 'deny: Deny'])
  })

  it('are the options of a question with up to three', () => {
    const wish = only(question())
    expect(wish.actions).toEqual([
      { id: 'option', label: 'red', value: 'red' },
      { id: 'option', label: 'blue', value: 'blue' },
    ])
    expect(wish.reply).toBe(false)
  })

  it.each([
    ['no options', question({ options: [] })],
    ['four options', question({ options: ['a', 'b', 'c', 'd'].map((label) => ({ label })) })],
    ['several answers at once', question({ multiple: true })],
  ])('let a question with %s be answered by text', (_, ask) => {
    const wish = only(ask)
    expect(labels(wish)).toEqual(['open: Answer…'])
    expect(wish.reply).toBe(true)
  })

  it('keep the whole label of an option, however long the button', () => {
    const label = 'lock '.repeat(90).trim()
    const [button] = only(question({ options: [{ label }] })).actions
    expect(button?.value).toBe(label)
    expect(displayWidth(button?.label ?? '')).toBeLessThanOrEqual(40)
  })

  it('only open where this desk may not answer', () => {
    const hosts = [{ name: 'devbox', isOffline: false, since: 0, openTasks: 1, mayAnswer: false }]
    for (const ask of [permission(), question({ options: [] }), question()]) {
      const wish = only(ask, { hosts })
      expect(wish.actions.map(({ id }) => id)).toEqual(['open'])
      expect(wish.reply).toBe(false)
    }
  })
})

describe('hidden content', () => {
  const settings = notifying({ hideContent: true })

  it.each([
    ['a command', dangerous('cat ~/.ssh/id_ed25519', 'secret_access')],
    ['a routine command', { ...permission(), text: 'cat id_ed25519' }],
    ['a question', question({ text: 'id_ed25519?', options: [{ label: 'id_ed25519' }] })],
    ['a review', { kind: 'review' as const, round: 1, text: 'used id_ed25519' }],
  ])('shows nothing of %s and takes no answer to what was not shown', (_, ask) => {
    const wish = only(ask, { settings })
    expect(JSON.stringify(wish)).not.toContain('id_ed25519')
    expect(wish.title).not.toContain('secret')
    expect(wish.actions.map(({ id }) => id)).not.toContain('approve')
    expect(wish.actions.map(({ id }) => id)).not.toContain('option')
    expect(wish.reply).toBe(false)
  })

  it('says nothing of why a task failed', () => {
    const troubled = [
      {
        host: 'devbox',
        task: sampleTask({ endReason: 'id_ed25519' }),
        kind: 'failed' as const,
        since: Date.UTC(2026, 4, 4, 12),
      },
    ]
    const bodies = [attend(quietState({ troubled })), attend(quietState({ troubled, settings }))].map(
      ({ show }) => show[0]?.body.includes('id_ed25519'),
    )
    expect(bodies).toEqual([true, false])
  })
})

describe('texts from outside', () => {
  it('cannot reorder, hide or break a line', () => {
    const wish = only(dangerous('echo \u202egnp.exe\u2069\n\x1b[31mrm\x07 \ud800'))
    expect(wish.body).not.toMatch(/[\x00-\x1f\u202a-\u202e\u2066-\u2069\ud800]/)
    expect(wish.body).toContain('<U+202E>')
  })

  it('are cut to what a notification can show', () => {
    const wish = only({ ...permission(), text: 'x'.repeat(100_000) })
    expect(displayWidth(wish.body)).toBe(240)
    expect(wish.body.endsWith('…')).toBe(true)
    const long = waitingTicket({ task: { title: '登录限流'.repeat(50) } })
    expect(displayWidth(attend(quietState({ open: [long] })).show[0]?.title ?? '')).toBeLessThanOrEqual(100)
  })

  it.each(['a/b?c#d%e', "it's!(a)*", 'x'.repeat(200), '%'.repeat(200)])('lead to a valid route: %s', (id) => {
    const state = quietState({ open: [waitingTicket({ id })] })
    for (const { route } of attend(state).show) expect(routeSchema.safeParse(route).success).toBe(true)
  })
})

describe('words', () => {
  it('name this machine and the danger in both languages', () => {
    const open = [waitingTicket({ host: 'local', ask: dangerous('rm -rf ..', 'outside_worktree') })]
    const said = (['en', 'zh'] as const).map(
      (language) => attend(quietState({ open, language })).show[0]?.title,
    )
    expect(said).toEqual([
      'This computer wants to change or delete files outside the repo',
      '本机 想要修改或删除仓库之外的文件',
    ])
  })

  it('have a sentence for a danger that a newer host names', () => {
    expect(only(dangerous('x', 'of_the_future')).title).toBe('devbox wants to do something dangerous')
    expect(only(dangerous('x')).title).toBe('devbox wants to do something dangerous')
  })

  it('count in both languages', () => {
    const tally = { decisions: 1, reviews: 2, troubles: 1 }
    expect(groupTitle('burst', tally, wordsOf('en'))).toBe('1 decision, 2 reviews and 1 problem need you')
    expect(groupTitle('burst', { decisions: 1, reviews: 0, troubles: 0 }, wordsOf('en'))).toBe(
      '1 decision needs you',
    )
    expect(groupTitle('burst', tally, wordsOf('zh'))).toBe('1 项决定、2 项审核、1 处异常等你处理')
  })
})

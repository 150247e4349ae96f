import { describe, expect, it } from 'vitest'
import type { WishedNotification } from '../services/attention/types.ts'
import { notificationOptions } from './notification-options.ts'
import { wordsOf } from '../services/words/words.ts'

const words = wordsOf('en')
const wish: WishedNotification = {
  key: 'ticket:local:1',
  kind: 'permission',
  title: 'opencode wants to run a command',
  body: 'npm test',
  route: '/inbox',
  actions: [
    { id: 'approve', label: 'Approve' },
    { id: 'deny', label: 'Deny' },
    { id: 'open', label: 'Open' },
  ],
  reply: false,
  host: 'local',
}

describe('what the system is told about a notification', () => {
  it('offers the buttons that decide something and stays until it is answered', () => {
    expect(notificationOptions(wish, words, true)).toMatchObject({
      id: 'ticket:local:1',
      silent: true,
      actions: [
        { type: 'button', text: 'Approve' },
        { type: 'button', text: 'Deny' },
      ],
      hasReply: false,
      timeoutType: 'never',
      urgency: 'normal',
    })
  })

  it('is urgent about a permission that cannot be given from a notification', () => {
    const dangerous = { ...wish, actions: wish.actions.filter(({ id }) => id !== 'approve') }
    expect(notificationOptions(dangerous, words, false)).toMatchObject({ urgency: 'critical', silent: false })
  })

  it('lets a question be answered in place and a finished round pass by', () => {
    expect(notificationOptions({ ...wish, kind: 'question', reply: true }, words, true)).toMatchObject({
      hasReply: true,
      replyPlaceholder: 'Type your answer',
      timeoutType: 'never',
    })
    expect(notificationOptions({ ...wish, kind: 'review' }, words, true).timeoutType).toBe('default')
  })
})

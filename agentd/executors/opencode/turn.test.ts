import { describe, expect, it } from 'vitest'
import { readTurn, type TurnNeeds } from './turn.ts'
import { messageListSchema } from './wire.ts'

const user = { info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } }, parts: [] }
const assistant = (info: object, texts: string[] = []) => ({
  info: { id: 'msg_2', sessionID: 'ses_1', role: 'assistant', time: { created: 2, completed: 3 }, ...info },
  parts: texts.map((text, at) => ({
    id: `prt_${at}`,
    messageID: 'msg_2',
    sessionID: 'ses_1',
    type: 'text',
    text,
  })),
})

function read(messages: object[], more: Partial<TurnNeeds> = {}) {
  const parsed = messageListSchema.parse(messages)
  return readTurn({ messages: parsed, stopping: false, abortCause: undefined, error: undefined, ...more })
}

describe('the end of a turn', () => {
  it('is nothing before anything was said', () => {
    expect(read([])).toEqual({ kind: 'nothing' })
  })

  it('is the text of the last message, whole', () => {
    expect(read([user, assistant({ finish: 'stop' }, ['One.', '{"ask":"x"}'])])).toMatchObject({
      kind: 'over',
      fact: { type: 'turn_ended', key: 'turn:msg_2', text: 'One.\n\n{"ask":"x"}' },
    })
  })

  it('leaves out what opencode has put in by itself', () => {
    const message = assistant({ finish: 'stop' }, ['Mine.'])
    message.parts.push({ ...message.parts[0], id: 'prt_9', text: 'Not mine.', synthetic: true } as never)
    expect(read([user, message])).toMatchObject({ fact: { text: 'Mine.' } })
  })

  it('is not the summary of a compaction', () => {
    const summary = { ...assistant({ id: 'msg_3', finish: 'stop', summary: true }, ['A summary.']) }
    expect(read([user, assistant({ finish: 'stop' }, ['Done.']), summary])).toMatchObject({
      fact: { text: 'Done.' },
    })
  })

  it('is a failure when the model failed', () => {
    const error = { name: 'APIError', data: { message: 'quota', isRetryable: false } }
    expect(read([user, assistant({ error })])).toMatchObject({
      kind: 'over',
      fact: { type: 'turn_failed', message: 'The model answered with an error: quota' },
    })
  })

  it('is still being written while the message is not complete or the prompt has no answer', () => {
    expect(read([user, assistant({ time: { created: 2 } })])).toMatchObject({
      kind: 'unfinished',
      known: true,
    })
    expect(read([user])).toMatchObject({ kind: 'unfinished', known: false })
    const error = { name: 'UnknownError', data: { message: 'Model not found' } }
    expect(read([user], { error })).toMatchObject({
      kind: 'unfinished',
      fact: { key: 'turn:msg_1', message: 'opencode failed (UnknownError): Model not found' },
    })
  })

  it('tells an abort by a denial, by the adapter and by somebody else apart', () => {
    const aborted = assistant({ error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }, [
      'So far.',
    ])
    expect(read([user, aborted], { stopping: true })).toMatchObject({
      fact: { type: 'turn_ended', text: 'So far.' },
    })
    expect(read([user, aborted], { abortCause: 'Too often.' })).toMatchObject({
      fact: { type: 'turn_failed', message: 'Too often.' },
    })
    expect(read([user, aborted])).toMatchObject({ fact: { type: 'turn_failed' } })
  })
})

import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventSchema, eventTypes } from '../shared/domain/event.ts'
import { calls, clientMessageSchema, serverMessageSchema, type CallName } from '../shared/protocol.ts'

const folder = path.join(import.meta.dirname, 'fixtures/protocol')
const lineSchema = z.object({ from: z.enum(['client', 'host']), message: z.record(z.string(), z.unknown()) })
type Line = z.infer<typeof lineSchema>

/** What was really said, once, by clients and hosts of each protocol version; it must stay readable for ever. */
function record(file: string): Line[] {
  const lines = readFileSync(path.join(folder, file), 'utf8').trim().split('\n')
  return lines.map((line) => lineSchema.parse(JSON.parse(line)))
}

describe.each(readdirSync(folder))('%s', (file) => {
  const lines = record(file)
  const said = (from: Line['from'], t: string): Line['message'][] =>
    lines.filter((line) => line.from === from && line.message['t'] === t).map((line) => line.message)
  const nameOf = (id: unknown): CallName =>
    String(said('client', 'call').find((message) => message['id'] === id)?.['name']) as CallName

  it('is understood message by message', () => {
    for (const { from, message } of lines) {
      const parsed = (from === 'client' ? clientMessageSchema : serverMessageSchema).safeParse(message)
      expect(parsed.error?.issues, JSON.stringify(message).slice(0, 200)).toBeUndefined()
    }
  })

  it('has inputs and results that the calls of today take', () => {
    const inputs = said('client', 'call').filter((message) => Object.hasOwn(calls, String(message['name'])))
    expect(inputs.length).toBeGreaterThan(20)
    for (const { name, input } of inputs)
      expect(calls[name as CallName].input.safeParse(input).error?.issues, String(name)).toBeUndefined()
    for (const { id, value } of said('host', 'result'))
      expect(calls[nameOf(id)].output.safeParse(value).error?.issues, nameOf(id)).toBeUndefined()
  })

  it('has events that the readers of today know', () => {
    const events = said('host', 'events').flatMap((message) => message['events'] as { type: string }[])
    for (const event of events) expect(eventSchema.safeParse(event).error?.issues, event.type).toBeUndefined()
    expect(events.every((event) => (eventTypes as string[]).includes(event.type))).toBe(true)
    expect(new Set(events.map((event) => event.type)).size).toBeGreaterThan(8)
  })
})

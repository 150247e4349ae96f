// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { speak, type Translate } from '../i18n/i18n.ts'
import { zh } from '../i18n/zh.ts'
import { textOf } from '../../shared/words/text-of.ts'
import { HOST_SENTENCES, hostSentence } from './host-sentences.ts'

const t: Translate = (key, values) => textOf([zh], key, values) ?? key
afterAll(() => speak('en'))

it('says in Chinese what hosts are known to say, with what stands in it', async () => {
  await speak('zh')
  expect(hostSentence('opencode is busy; 2 waiting for an answer.', t)).toBe(
    'opencode 正在工作，有 2 个请求等待回答。',
  )
  expect(hostSentence('Pushed handoff/a to origin.', t)).toBe('已将 handoff/a 推送到 origin。')
  expect(hostSentence('Something new.\u0007', t)).toBe('Something new.␇')
})

it('leaves English as the host said it', async () => {
  await speak('en')
  expect(hostSentence('It has submodules.', t)).toBe('It has submodules.')
})

it('knows them as agentd has them in its source, so that a sentence that changes there is noticed', () => {
  const folder = path.resolve(import.meta.dirname, '../../agentd')
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
  for (const [name, { source: pattern }] of Object.entries(HOST_SENTENCES)) {
    // What stands between the places and words that agentd fills in, a sentence at a time: it may put several together.
    const pieces = pattern
      .replace(/^\^|\$$/g, '')
      .split(/\(\?<\w+>[^)]*\)|\.\*|(?<=\\\.) |; |(?<=opencode is) /)
      .map((piece) => piece.replaceAll('\\', '').replace(/\.$/, '').trim())
      .filter((piece) => piece.length > 3)
    expect(pieces, name).not.toEqual([])
    for (const piece of pieces) expect(source.includes(piece), `${name}: ${piece}`).toBe(true)
  }
})

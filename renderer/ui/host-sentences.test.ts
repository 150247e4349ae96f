// @vitest-environment jsdom
import { afterAll, expect, it } from 'vitest'
import { speak, type Translate } from '../i18n/i18n.ts'
import { zh } from '../i18n/zh.ts'
import { textOf } from '../../shared/words/text-of.ts'
import { hostSentence } from './host-sentences.ts'

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

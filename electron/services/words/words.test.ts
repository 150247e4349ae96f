import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { differences, sourceBelow, textsOf, unusedKeys } from '../../../tests/support/texts.ts'
import { en } from './en.ts'
import { wordsOf } from './words.ts'
import { zh } from './zh.ts'

const electron = path.resolve(import.meta.dirname, '../..')

describe('the words of tray, notifications and menus', () => {
  it('are there in both languages and fill the same places', () => {
    expect(differences(en, zh)).toEqual([])
  })

  it('are all used, also those that the window says too', () => {
    expect(unusedKeys(en, sourceBelow(electron))).toEqual([])
  })

  it('say nothing twice', () => {
    for (const table of [en, zh]) {
      const texts = [...textsOf(table)].filter(([key]) => !key.startsWith('group.')).map(([, text]) => text)
      expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    }
  })

  it('use no emoji', () => {
    for (const [key, text] of [...textsOf(en), ...textsOf(zh)])
      expect(text, key).not.toMatch(/\p{Extended_Pictographic}/u)
  })

  it('count in both languages', () => {
    expect(wordsOf('en')('glance.running', { count: 1 })).toBe('1 task is running.')
    expect(wordsOf('en')('glance.running', { count: 2 })).toBe('2 tasks are running.')
    expect(wordsOf('zh')('glance.running', { count: 1 })).toBe('1 个任务正在运行。')
  })

  it('take a value for what it is, whatever stands in it', () => {
    expect(wordsOf('en')('glance.ready', { title: '$& {{count}}' })).toBe('$& {{count}} is ready for review')
  })
})

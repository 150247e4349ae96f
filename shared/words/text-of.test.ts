import { describe, expect, it } from 'vitest'
import { textOf } from './text-of.ts'

const en = {
  inbox: { title: 'Inbox', deep: { er: 'Deeper' } },
  count: { row_one: 'one row', row_other: '{{count}} rows', hour: '{{count}}h' },
  hello: 'Hello {{ name }}, hello {{name}} of {{place}}',
}
const zh = { inbox: { title: '收件箱' }, count: { row_other: '{{count}} 行' } }

describe('a text', () => {
  it('is found by its path, in the first language that has it', () => {
    expect(textOf([zh, en], 'inbox.title')).toBe('收件箱')
    expect(textOf([zh, en], 'inbox.deep.er')).toBe('Deeper')
  })

  it('is undefined for a key that is unknown, is no leaf, or belongs to every object', () => {
    for (const key of ['inbox', 'inbox.nothing', 'inbox.title.more', 'constructor', 'inbox.toString', ''])
      expect(textOf([en], key), key).toBeUndefined()
  })

  it('has a singular for exactly one, where the language has one', () => {
    expect(textOf([en], 'count.row', { count: 1 })).toBe('one row')
    expect(textOf([en], 'count.row', { count: 0 })).toBe('0 rows')
    expect(textOf([en], 'count.row', { count: 1.5 })).toBe('1.5 rows')
    expect(textOf([zh, en], 'count.row', { count: 1 })).toBe('1 行')
    expect(textOf([en], 'count.hour', { count: 1 })).toBe('1h')
  })

  it('keeps Latin names apart from Chinese words, and Chinese names together with them', () => {
    const texts = { away: '已连上{{host}}，等待{{host}}响应。' }
    expect(textOf([texts], 'away', { host: 'box' })).toBe('已连上 box，等待 box 响应。')
    expect(textOf([texts], 'away', { host: '本机' })).toBe('已连上本机，等待本机响应。')
    expect(textOf([texts], 'away', { host: '' })).toBe('已连上，等待响应。')
  })

  it('has its places filled with exactly the values, and nothing where there is none', () => {
    expect(textOf([en], 'hello', { name: '$& {{place}}' })).toBe('Hello $& {{place}}, hello $& {{place}} of ')
    expect(textOf([en], 'hello', { name: 0, place: 'x' })).toBe('Hello 0, hello 0 of x')
  })
})

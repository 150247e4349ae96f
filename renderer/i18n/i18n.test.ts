import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ipcCalls, ipcEvents } from '../../shared/ipc.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

type Tree = { [key: string]: string | Tree }

function leaves(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value)
    else for (const [inner, text] of leaves(value, `${prefix}${key}.`)) found.set(inner, text)
  }
  return found
}

const plural = /_(one|other)$/
const baseKeys = (texts: Map<string, string>) =>
  new Set([...texts.keys()].map((key) => key.replace(plural, '')))
const english = leaves(en)
const chinese = leaves(zh)
const places = (text: string) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]).sort()

const renderer = path.dirname(import.meta.dirname)
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^i18n\/(en|zh)\.ts$/.test(file))
  .map((file) => readFileSync(path.join(renderer, file), 'utf8'))
  .join('\n')

describe('the words of the window', () => {
  it('are there in both languages', () => {
    expect([...baseKeys(chinese)].sort()).toEqual([...baseKeys(english)].sort())
  })

  it('are not empty, and fill the same places', () => {
    for (const [key, text] of english) {
      expect(text.trim(), key).not.toBe('')
      const other = chinese.get(key) ?? chinese.get(key.replace(plural, '_other')) ?? ''
      expect(other.trim(), key).not.toBe('')
      // A singular may say "one" where the plural has the number.
      const wanted = key.endsWith('_one') ? places(other).filter((place) => place !== 'count') : places(text)
      expect(
        places(other).filter((place) => !key.endsWith('_one') || place !== 'count'),
        key,
      ).toEqual(key.endsWith('_one') ? places(text).filter((place) => place !== 'count') : wanted)
    }
  })

  it('have a plural in English wherever they have a singular', () => {
    for (const key of english.keys())
      if (key.endsWith('_one')) expect(english.has(key.replace(/_one$/, '_other')), key).toBe(true)
  })

  it('are all used', () => {
    // `t(`app.hostState.${kind}`)` uses every key that begins like that.
    const prefixes = [...sources.matchAll(/`([\w.]+[._])\$\{/g)].map((match) => match[1] ?? '')
    const unused = [...baseKeys(english)].filter(
      (key) => !sources.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).toEqual([])
  })

  it('exist for every key that is used', () => {
    const files = Object.keys(en).join('|')
    const used = [...sources.matchAll(new RegExp(`'((?:${files})\\.[\\w.]+)'`, 'g'))].map(
      (match) => match[1] ?? '',
    )
    const known = baseKeys(english)
    const others = new Set([...Object.keys(ipcCalls), ...Object.keys(ipcEvents)])
    expect(used.filter((key) => !known.has(key) && !others.has(key))).toEqual([])
  })
})

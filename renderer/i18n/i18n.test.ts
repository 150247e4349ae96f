import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../shared/errors.ts'
import { ipcCalls, ipcEvents } from '../../shared/ipc.ts'
import { differences, keysOf, sourceBelow, textsOf, unusedKeys } from '../../tests/support/texts.ts'
import { HOST_SENTENCES } from '../ui/host-sentences.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

const { errors, hints, sentences, ...chinese } = zh
const source = sourceBelow(path.dirname(import.meta.dirname))

describe('the words of the window', () => {
  it('are there in both languages and fill the same places', () => {
    expect(differences(en, chinese)).toEqual([])
  })

  it('are all used', () => {
    expect(unusedKeys(en, source)).toEqual([])
  })

  it('exist for every key that is used', () => {
    const files = Object.keys(en).join('|')
    const used = [...source.matchAll(new RegExp(`'((?:${files})\\.[\\w.]+)'`, 'g'))].map(
      ([, key]) => key ?? '',
    )
    const known = new Set([...keysOf(textsOf(en)), ...Object.keys(ipcCalls), ...Object.keys(ipcEvents)])
    expect(used.filter((key) => !known.has(key))).toEqual([])
  })

  it('have a Chinese sentence for every error; the English one comes with the error', () => {
    expect(Object.keys(errors).sort()).toEqual(errorCodes.map((code) => code.replace('.', '_')).sort())
    for (const sentence of Object.values(errors)) expect(sentence.trim()).not.toBe('')
    expect(Object.keys(hints).filter((code) => !Object.hasOwn(errors, code))).toEqual([])
  })

  it('have a Chinese sentence for every one that hosts are known to say', () => {
    expect(Object.keys(sentences).sort()).toEqual(Object.keys(HOST_SENTENCES).sort())
    for (const [name, sentence] of Object.entries(sentences)) {
      const places = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, place]) => place)
      const groups = [...(HOST_SENTENCES[name]?.source ?? '').matchAll(/\(\?<(\w+)>/g)].map(
        ([, group]) => group,
      )
      expect(places.sort(), name).toEqual(groups.sort())
    }
  })
})

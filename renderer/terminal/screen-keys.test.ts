// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { screenKey } from './screen-keys.ts'

const keys = (text: string) => {
  const parts = text.split('+')
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('ctrl'),
    metaKey: parts.includes('meta'),
    shiftKey: parts.includes('shift'),
    altKey: parts.includes('alt'),
  }
}

describe('keys of the terminal itself', () => {
  it.each([
    ['ctrl+shift+F', 'search'],
    ['ctrl+shift+C', 'copy'],
    ['ctrl+shift+V', 'paste'],
    ['ctrl+shift+Enter', 'keyboard'],
    ['ctrl+shift+PageDown', 'tab'],
    ['ctrl+PageDown', undefined],
    ['shift+PageUp', undefined],
    ['ctrl+f', undefined],
    ['ctrl+c', undefined],
    ['shift+Enter', undefined],
    ['ctrl+alt+shift+F', undefined],
    ['Escape', undefined],
  ])('on Linux and Windows %s means %s', (pressed, meaning) => {
    expect(screenKey(keys(pressed), false)).toBe(meaning)
  })

  it.each([
    ['meta+f', 'search'],
    ['meta+c', 'copy'],
    ['meta+v', 'paste'],
    ['meta+shift+PageUp', 'tab'],
    ['meta+PageUp', undefined],
    ['meta+shift+Enter', 'keyboard'],
    ['ctrl+shift+Enter', 'keyboard'],
    ['ctrl+f', undefined],
    ['ctrl+shift+C', undefined],
  ])('on a Mac %s means %s', (pressed, meaning) => {
    expect(screenKey(keys(pressed), true)).toBe(meaning)
  })
})

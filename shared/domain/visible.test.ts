import { describe, expect, it } from 'vitest'
import { exactText, visibleLine, visibleText } from './visible.ts'

const HOSTILE = 'a\x1b]0;title\x07b\u202Ec\rd\u200Be\x9b31mf'

describe('text of unknown origin', () => {
  it.each([
    ['visibleText', visibleText],
    ['visibleLine', visibleLine],
    ['exactText', exactText],
  ])('%s lets no character through that could move the cursor, hide or reorder', (_name, show) => {
    expect(show(HOSTILE)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]/)
    expect(show(HOSTILE)).toContain('<U+202E>')
  })
  it('keeps lines and tabs of a text', () => expect(visibleText('a\n\tb\r\nc')).toBe('a\n\tb\nc'))
  it('makes one line of several', () => expect(visibleLine(' a \n  b ')).toBe('a b'))
  it('shows even tabs and carriage returns of what is decided on', () => {
    expect(exactText('a\tb\r\nc')).toBe('a␉b␍\nc')
  })
})

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  existsSync,
  statSync,
  symlinkSync,
  lstatSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installGuide, mergeBlock, placeOf, removeGuide } from './install.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'handoff-guide-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe.each(['claude', 'codex', 'opencode'] as const)('the guide for %s', (assistant) => {
  it('is written once, found unchanged, and removed without a trace', () => {
    const place = placeOf(assistant, home, {})
    expect(installGuide(place)).toBe('installed')
    expect(readFileSync(place.path, 'utf8')).toContain('handoff wait')
    expect(installGuide(place)).toBe('unchanged')
    expect(removeGuide(place)).toBe('removed')
    expect(existsSync(place.path)).toBe(false)
    expect(removeGuide(place)).toBe('not_installed')
  })
})

describe('a file that the person also writes', () => {
  const mine = '# My rules\n\nUse pnpm.\n'
  const write = (text: string) => {
    const place = placeOf('codex', home, {})
    mkdirSync(dirname(place.path), { recursive: true })
    writeFileSync(place.path, text, { mode: 0o640 })
    return place
  }

  it.each([mine, 'no newline at the end', 'ends with empty line\n\n', '\n'])(
    'comes back byte for byte: %j',
    (text) => {
      const place = write(text)
      installGuide(place)
      expect(readFileSync(place.path, 'utf8').startsWith(text)).toBe(true)
      removeGuide(place)
      expect(readFileSync(place.path, 'utf8').trimEnd()).toBe(text.trimEnd())
    },
  )
  it('keeps what was written after our block, and its mode', () => {
    const place = write(mine)
    installGuide(place)
    writeFileSync(place.path, `${readFileSync(place.path, 'utf8')}\nLater words.\n`)
    expect(installGuide(place)).toBe('unchanged')
    removeGuide(place)
    expect(readFileSync(place.path, 'utf8')).toContain('Later words.')
    expect(statSync(place.path).mode & 0o777).toBe(0o640)
  })
  it('stays a link when it is one', () => {
    const target = join(home, 'dotfiles.md')
    writeFileSync(target, mine)
    const place = placeOf('codex', home, {})
    mkdirSync(dirname(place.path), { recursive: true })
    symlinkSync(target, place.path)
    installGuide(place)
    expect(lstatSync(place.path).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('handoff wait')
  })
  it('is not touched when our marks are damaged', () => {
    expect(() => mergeBlock('a\n<!-- handoff:begin x -->\nb', 'new', 'file')).toThrow(/damaged/)
  })
})

it('does not replace a skill file that somebody else wrote', () => {
  const place = placeOf('claude', home, {})
  mkdirSync(dirname(place.path), { recursive: true })
  writeFileSync(place.path, 'mine')
  expect(() => installGuide(place)).toThrow(/not written by Handoff/)
})

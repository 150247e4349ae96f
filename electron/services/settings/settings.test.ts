import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { type Settings, settingsSchema } from '../../../shared/ipc/settings.ts'
import { createSettingsService, type SettingsProblem } from './settings.ts'

const defaults = settingsSchema.parse({})

async function open(text?: string) {
  const file = path.join(await tempDirForTest(), 'desk', 'settings.json')
  if (text !== undefined) {
    fs.mkdirSync(path.dirname(file))
    fs.writeFileSync(file, text)
  }
  const problems: SettingsProblem[] = []
  const start = () => createSettingsService({ path: file, onProblem: (problem) => problems.push(problem) })
  return { file, problems, start, settings: start() }
}

const refused = expect.objectContaining({ code: 'bad_request' }) as Error

describe('settings', () => {
  it('are the defaults before anything was chosen, and no file is made', async () => {
    const { settings, file } = await open()
    expect(settings.get()).toEqual(defaults)
    expect(fs.existsSync(file)).toBe(false)
  })

  it('keep a choice over a restart, in a file for its owner only', async () => {
    const { settings, file, start } = await open()
    const heard: Settings[] = []
    settings.onChange((now) => heard.push(now))
    const changed = settings.change({ theme: 'dark', notifications: { quietHours: { enabled: true } } })
    expect(changed.notifications.quietHours).toEqual({ enabled: true, from: 1_320, to: 480 })
    expect(heard).toEqual([changed])
    expect(start().get()).toEqual(changed)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
    expect(fs.readdirSync(path.dirname(file))).toEqual(['settings.json'])
  })

  it('replace lists, and drop what they do not know', async () => {
    const { settings } = await open()
    settings.change({ notifications: { mutedHosts: ['a', 'b'] } })
    const changed = settings.change({ notifications: { mutedHosts: ['c'], loud: true }, colour: 'red' })
    expect(changed.notifications.mutedHosts).toEqual(['c'])
    expect(changed).not.toHaveProperty('colour')
    expect(changed.notifications).not.toHaveProperty('loud')
  })

  it.each([
    ['a value that is none of the offered', { theme: 'pink' }],
    ['a number out of range', { terminal: { fontSizePx: 4 } }],
    ['null for a part', { terminal: null }],
    ['a list for a part', { terminal: [] }],
    ['too long a list', { notifications: { mutedHosts: Array.from({ length: 201 }, () => 'a') } }],
    ['a prototype', JSON.parse('{"__proto__": {"isAdmin": true}}') as Record<string, unknown>],
    [
      'a deep prototype',
      JSON.parse('{"terminal": {"__proto__": {"fontSizePx": 9}}}') as Record<string, unknown>,
    ],
    ['a constructor', { constructor: { prototype: { isAdmin: true } } }],
    ['a prototype in an unknown part', JSON.parse('{"x": [{"__proto__": {}}]}') as Record<string, unknown>],
  ])('refuse %s and stay as they are', async (_, patch) => {
    const { settings, file } = await open()
    expect(() => settings.change(patch)).toThrow(refused)
    expect(settings.get()).toEqual(defaults)
    expect(fs.existsSync(file)).toBe(false)
    expect({}).not.toHaveProperty('isAdmin')
  })

  it('take over what another desk chose meanwhile, field by field', async () => {
    const { settings, start } = await open()
    const other = start()
    other.change({ theme: 'dark', terminal: { fontSizePx: 20 } })
    const changed = settings.change({ terminal: { cursorBlink: true } })
    expect(changed).toMatchObject({ theme: 'dark', terminal: { fontSizePx: 20, cursorBlink: true } })
  })

  it('read an older file as the choices it has', async () => {
    const { settings, problems } = await open('\ufeff{"v":1,"theme":"light","terminal":{"fontSizePx":15}}')
    expect(settings.get()).toMatchObject({ theme: 'light', language: 'system' })
    expect(settings.get().terminal).toMatchObject({ fontSizePx: 15, scrollbackLines: 10_000 })
    expect(problems).toEqual([])
  })

  it.each([
    ['cut off', '{"theme":"li'],
    ['empty', ''],
    ['no settings', '"dark"'],
    ['of a newer version', '{"v":2}'],
    ['with a value out of range', '{"terminal":{"fontSizePx":4000}}'],
  ])('set a file aside that is %s, and go on', async (_, text) => {
    const { settings, problems, file } = await open(text)
    expect(settings.get()).toEqual(defaults)
    expect(problems).toMatchObject([{ why: 'damaged' }])
    const keptAt = problems[0]?.keptAt ?? ''
    expect(path.basename(keptAt)).toMatch(/^settings\.json\.damaged-[\dTZ-]+$/)
    expect(fs.readFileSync(keptAt, 'utf8')).toBe(text)
    expect(settings.change({ theme: 'dark' }).theme).toBe('dark')
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ theme: 'dark' })
  })

  it('start although the file cannot be read, and do not throw it away', async () => {
    const file = path.join(await tempDirForTest(), 'settings.json')
    fs.mkdirSync(file)
    const problems: SettingsProblem[] = []
    const settings = createSettingsService({ path: file, onProblem: (problem) => problems.push(problem) })
    expect(settings.get()).toEqual(defaults)
    expect(problems).toMatchObject([{ why: 'unreadable' }])
    expect(() => settings.change({ theme: 'dark' })).toThrow()
    expect(settings.get().theme).toBe('system')
  })

  it('tell nobody who has stopped listening', async () => {
    const { settings } = await open()
    let count = 0
    const stop = settings.onChange(() => (count += 1))
    settings.change({ theme: 'dark' })
    stop()
    settings.change({ theme: 'light' })
    expect(count).toBe(1)
  })
})

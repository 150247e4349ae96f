import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { createHostRecords } from './host-records.ts'

it('keeps what another desk of this home has found out meanwhile', async () => {
  const home = await tempDirForTest()
  const [app, browser] = [createHostRecords(home), createHostRecords(home)]
  app.change('box', 'ssh://box', { pairing: 'paired', tokens: { electron: { id: 'a' } } })
  browser.change('box', 'ssh://box', {
    tokens: { ...browser.get('box', 'ssh://box').tokens, browser: { id: 'b' } },
  })
  app.change('box', 'ssh://box', { pairing: 'revoked', tokens: { browser: { id: 'b' } } })
  browser.change('box', 'ssh://box', { version: '2' })
  browser.change('other', 'ssh://other', { hostId: 'h' })
  const wanted = { pairing: 'revoked', version: '2', tokens: { browser: { id: 'b' } } }
  for (const one of [app, browser, createHostRecords(home)])
    expect(one.get('box', 'ssh://box')).toMatchObject(wanted)
  expect(app.hasOther('box', 'h')).toBe(true)
  browser.remove('box')
  expect(app.get('box', 'ssh://box').pairing).toBe('none')
})

it('goes on with what it knows when the file is taken away or damaged', async () => {
  const home = await tempDirForTest()
  const records = createHostRecords(home)
  records.change('box', 'ssh://box', { pairing: 'revoked' })
  writeFileSync(path.join(home, 'desk/hosts.json'), '{ "v": 1')
  expect(records.get('box', 'ssh://box').pairing).toBe('revoked')
  rmSync(path.join(home, 'desk/hosts.json'))
  expect(records.get('box', 'ssh://box').pairing).toBe('revoked')
  records.change('box', 'ssh://box', { version: '2' })
  expect(createHostRecords(home).get('box', 'ssh://box')).toMatchObject({ pairing: 'revoked', version: '2' })
})

it('goes on with what it knows when it cannot be written', async () => {
  const home = await tempDirForTest()
  const records = createHostRecords(home)
  records.change('box', 'ssh://box', { version: '1' })
  renameSync(path.join(home, 'desk'), path.join(home, 'away'))
  writeFileSync(path.join(home, 'desk'), '')
  expect(() => records.change('box', 'ssh://box', { version: '2' })).toThrow()
  rmSync(path.join(home, 'desk'))
  renameSync(path.join(home, 'away'), path.join(home, 'desk'))
  expect(records.get('box', 'ssh://box').version).toBe('2')
})

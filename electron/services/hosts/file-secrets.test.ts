import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { createFileSecrets } from './file-secrets.ts'

async function setUp() {
  const folder = path.join(await tempDirForTest(), 'desk', 'tokens')
  return { folder, secrets: createFileSecrets(folder) }
}
const refused = expect.objectContaining({ code: 'bad_request' }) as Error

describe('secrets in files', () => {
  it('are kept, replaced and removed, also for a box that is opened later', async () => {
    const { folder, secrets } = await setUp()
    expect(secrets.get('token:devbox')).toBeUndefined()
    secrets.remove('token:devbox')
    secrets.set('token:devbox', 'one')
    secrets.set('token:devbox', 'two\n')
    expect(createFileSecrets(folder).get('token:devbox')).toBe('two\n')
    secrets.remove('token:devbox')
    expect(secrets.get('token:devbox')).toBeUndefined()
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('can be read by their owner only, also after a copy loosened that', async () => {
    const { folder, secrets } = await setUp()
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
    fs.chmodSync(folder, 0o755)
    secrets.set('a', 'secret')
    const [name = ''] = fs.readdirSync(folder)
    const mode = (of: string) => fs.statSync(of).mode & 0o777
    expect([mode(folder), mode(path.join(folder, name))]).toEqual([0o700, 0o600])
    fs.chmodSync(path.join(folder, name), 0o644)
    expect(secrets.get('a')).toBe('secret')
    expect(mode(path.join(folder, name))).toBe(0o600)
  })

  it('tell names apart that differ in letter case only, on every file system', async () => {
    const { folder, secrets } = await setUp()
    secrets.set('token:Dev', 'upper')
    secrets.set('token:dev', 'lower')
    expect([secrets.get('token:Dev'), secrets.get('token:dev')]).toEqual(['upper', 'lower'])
    const names = fs.readdirSync(folder).map((name) => name.toLowerCase())
    expect(new Set(names).size).toBe(2)
  })

  it.each(['', '../x', '.hidden', 'a\0b', 'a b', 'ü', 'a'.repeat(101)])(
    'refuse the name %j',
    async (name) => {
      const { folder, secrets } = await setUp()
      for (const use of [() => secrets.get(name), () => secrets.set(name, 'x'), () => secrets.remove(name)])
        expect(use).toThrow(refused)
      expect(fs.existsSync(folder)).toBe(false)
    },
  )

  it.each(['', 'x'.repeat(64 * 1024 + 1)])(
    'refuse an empty or huge secret, and do not repeat it',
    async (secret) => {
      const { secrets } = await setUp()
      expect(() => secrets.set('a', secret)).toThrow(refused)
      expect(() => secrets.set('a', secret)).not.toThrow(/xx/)
    },
  )
})

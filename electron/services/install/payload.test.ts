import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import type { Installation } from '../platform.ts'
import { gatherPayload, nodeFor } from './payload.ts'
import { tarBytes } from './tar-writer.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** An installation with small programs and the real packages. */
async function installationForTest(): Promise<Installation> {
  const folder = await tempDirForTest()
  const dist = path.join(folder, 'dist')
  await mkdir(dist)
  for (const name of ['cli.js', 'agentd.js', 'pane.js', 'demo-executor.js', 'tree.wasm', 'main.js'])
    await writeFile(path.join(dist, name), `// ${name}\n`)
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return { node: process.execPath, dist, command: path.join(root, 'bin/handoff'), version: '1.2.3' }
}

it('gathers what a machine of a platform loads, and nothing of the desk or of other platforms', async () => {
  const installation = await installationForTest()
  const { entries, build } = gatherPayload({
    installation,
    platform: { system: 'darwin', arch: 'arm64' },
    withNode: false,
  })
  const names = entries.map(({ name }) => name)
  expect(build).toMatch(/^1\.2\.3-[0-9a-f]{10}$/)
  expect(names.filter((name) => name.startsWith('dist/'))).toEqual([
    'dist/cli.js',
    'dist/agentd.js',
    'dist/pane.js',
    'dist/demo-executor.js',
    'dist/tree.wasm',
  ])
  expect(names.filter((name) => name.endsWith('.node'))).toEqual([
    'node_modules/better-sqlite3/prebuilds/darwin-arm64.node',
  ])
  expect(names).toContain('node_modules/sonic-boom/package.json')
  expect(names.at(-1)).toBe('complete')
})

it('names a build after its content', async () => {
  const installation = await installationForTest()
  const gather = () =>
    gatherPayload({ installation, platform: { system: 'linux', arch: 'x64' }, withNode: false }).build
  const before = gather()
  expect(gather()).toBe(before)
  await writeFile(path.join(installation.dist, 'pane.js'), '// another\n')
  expect(gather()).not.toBe(before)
})

it('says what it does not carry', async () => {
  const installation = await installationForTest()
  await rm(path.join(installation.dist, 'agentd.js'))
  const platform = { system: 'linux', arch: 'x64' } as const
  expect(() => gatherPayload({ installation, platform, withNode: false })).toThrow(
    expect.objectContaining({ code: 'file_not_found', message: expect.stringContaining('agentd.js') }),
  )
  expect(nodeFor(installation, { system: 'linuxmusl', arch: 'arm64' })).toBeUndefined()
})

it('makes an archive that tar reads back unchanged', async () => {
  const folder = await tempDirForTest()
  const big = path.join(folder, 'big')
  const content = Buffer.alloc(700_001, 'xyz')
  await writeFile(big, content)
  const chunks: Buffer[] = []
  for await (const chunk of tarBytes([
    { kind: 'file', name: 'a/big', mode: 0o755, path: big, sizeBytes: content.byteLength },
    { kind: 'text', name: 'é.txt', mode: 0o644, text: 'done\n' },
  ]))
    chunks.push(chunk)
  await execa('tar', ['-xf', '-', '-C', folder], { input: Buffer.concat(chunks) })
  expect(readFileSync(path.join(folder, 'a/big')).equals(content)).toBe(true)
  expect(await readFile(path.join(folder, 'é.txt'), 'utf8')).toBe('done\n')
})

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { hostPrograms, lastingHost } from './host-part.ts'

/** A mounted app with a host part of some build, and an empty place to keep it in. */
async function placesForTest() {
  const folder = await tempDirForTest()
  const kept = path.join(folder, 'home/desk/host')
  const mounted = async (build: string) => {
    const carried = path.join(folder, `mount-${build}/host`)
    await mkdir(path.join(carried, 'dist'), { recursive: true })
    await writeFile(path.join(carried, 'build'), `${build}\n`)
    await writeFile(path.join(carried, 'dist/agentd.js'), `// ${build}\n`)
    return { carried, kept, isPassing: true }
  }
  return { kept, mounted }
}

it('uses what an installed app carries where it is', async () => {
  const { kept, mounted } = await placesForTest()
  const places = { ...(await mounted('1-a')), isPassing: false }
  expect(lastingHost(places)).toBe(places.carried)
  expect(existsSync(kept)).toBe(false)
  expect(hostPrograms(places.carried, 'win32')).toEqual({
    node: path.join(places.carried, 'node/node.exe'),
    dist: path.join(places.carried, 'dist'),
    command: path.join(places.carried, 'bin/handoff.cmd'),
  })
})

it('keeps a copy of what is only mounted, and the command at one place through updates', async () => {
  const { kept, mounted } = await placesForTest()
  const first = hostPrograms(lastingHost(await mounted('1-a')), 'linux')
  expect(first.dist).toBe(path.join(kept, '1-a/dist'))
  expect(readFileSync(path.join(first.dist, 'agentd.js'), 'utf8')).toBe('// 1-a\n')
  const second = hostPrograms(lastingHost(await mounted('2-b')), 'linux')
  expect(second.dist).toBe(path.join(kept, '2-b/dist'))
  expect(second.command).toBe(first.command)
  expect(readlinkSync(path.join(kept, 'current'))).toBe('2-b')
  expect(existsSync(first.dist), 'what the build before started goes on').toBe(true)
})

it('keeps two builds, and neither copies again nor takes a broken copy for a whole one', async () => {
  const { kept, mounted } = await placesForTest()
  await mkdir(path.join(kept, '.next-1'), { recursive: true })
  for (const build of ['1-a', '2-b', '3-c']) lastingHost(await mounted(build))
  expect(readdirSync(kept).sort()).toEqual(['2-b', '3-c', 'current'])
  await writeFile(path.join(kept, '3-c/mark'), '')
  lastingHost(await mounted('3-c'))
  expect(existsSync(path.join(kept, '3-c/mark'))).toBe(true)
})

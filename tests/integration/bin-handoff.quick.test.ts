import { spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { requires } from '../support/requirements.ts'
import { tempDirForTest } from '../support/temp.ts'

const script = path.resolve(import.meta.dirname, '../../bin/handoff')
const linux = requires('linux')

/** A stand-in for a Node of some version: it says which one it is, and what it was asked to run. */
async function fakeNode(file: string, name: string, fit: boolean): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const answer = `if [ "$1" = -e ]; then exit ${fit ? 0 : 1}; fi\nif [ "$1" = -v ]; then echo v20.0.0; exit; fi`
  await writeFile(file, `#!/bin/sh\n${answer}\necho "${name} runs $2 with $3"\n`)
  await chmod(file, 0o755)
}

/** An installation with only bin/handoff in it, and a PATH with the plain tools that the script itself uses. */
async function installation() {
  const root = await tempDirForTest()
  await mkdir(path.join(root, 'bin'))
  await copyFile(script, path.join(root, 'bin/handoff'))
  await mkdir(path.join(root, 'dist'))
  await writeFile(path.join(root, 'dist/cli.js'), '')
  const tools = path.join(root, 'tools')
  await mkdir(tools)
  for (const tool of ['dirname', 'readlink', 'uname'])
    await symlink(
      spawnSync('sh', ['-c', `command -v ${tool}`])
        .stdout.toString()
        .trim(),
      path.join(tools, tool),
    )
  const run = (file = path.join(root, 'bin/handoff')) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [file, 'tasks'], {
      env: { PATH: tools },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  return { root, tools, run }
}

const pinned = (root: string): string => path.join(root, `node_modules/node-linux-${process.arch}/bin/node`)

describe('bin/handoff', () => {
  it.skipIf(linux.skip)(
    linux.title('prefers the Node that was installed with it, also through a link'),
    async () => {
      const { root, tools, run } = await installation()
      await fakeNode(pinned(root), 'pinned', true)
      await fakeNode(path.join(tools, 'node'), 'system', true)
      await symlink(path.join(root, 'bin/handoff'), path.join(root, 'link'))
      expect(run(path.join(root, 'link')).stdout).toBe(`pinned runs ${root}/dist/cli.js with tasks\n`)
    },
  )

  it('prefers the Node that lies in its own folder, as in a packaged app', async () => {
    const { root, tools, run } = await installation()
    await fakeNode(path.join(root, 'node/bin/node'), 'own', true)
    await fakeNode(pinned(root), 'pinned', true)
    await fakeNode(path.join(tools, 'node'), 'system', true)
    expect(run().stdout).toBe(`own runs ${root}/dist/cli.js with tasks\n`)
  })

  it('takes a system Node that is new enough', async () => {
    const { root, tools, run } = await installation()
    await fakeNode(path.join(tools, 'node'), 'system', true)
    expect(run().stdout).toBe(`system runs ${root}/dist/cli.js with tasks\n`)
  })

  it('says what to do when Node is too old, missing, or nothing was built', async () => {
    const { root, tools, run } = await installation()
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Node.js was not found') as string,
    })
    await fakeNode(path.join(tools, 'node'), 'system', false)
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is v20\.0\.0, but .*22\.15/) as string,
    })
    await fakeNode(path.join(tools, 'node'), 'system', true)
    await rm(path.join(root, 'dist/cli.js'))
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run build') as string })
  })
})

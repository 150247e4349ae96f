import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { sshNames } from './ssh-names.ts'

async function config(files: Record<string, string>): Promise<string> {
  const folder = await tempDirForTest()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  return path.join(folder, 'config')
}

it('finds the names of Host lines in their order, each once, and no patterns', async () => {
  const file = await config({
    config: `# my hosts
Host devbox lab "gpu-1" # the fast ones
  HostName 10.0.0.1
host=bastion
HOST *.example.com !secret ?x
Host devbox
Match host never
  User x
Host -oProxyCommand=evil
`,
  })
  expect(sshNames(file)).toEqual(['devbox', 'lab', 'gpu-1', 'bastion'])
})

it('follows Include one level deep, with wildcards, relative to the folder', async () => {
  const file = await config({
    config: 'Include conf.d/*.conf missing\nHost last\n',
    'conf.d/a.conf': 'Host a\nInclude deeper\n',
    'conf.d/b.conf': 'Host b\n',
    deeper: 'Host too-deep\n',
  })
  expect(sshNames(file)).toEqual(['a', 'b', 'last'])
})

it('ends with a file that includes itself, and has nothing to say without a file or with a folder', async () => {
  const file = await config({ config: 'Include config\nHost one\n' })
  expect(sshNames(file)).toEqual(['one'])
  expect(sshNames(path.join(path.dirname(file), 'none'))).toEqual([])
  expect(sshNames(path.dirname(file))).toEqual([])
})

it('reads no more than it needs of a huge file', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `Host h${index}`).join('\n')
  expect(sshNames(await config({ config: lines }))).toHaveLength(500)
})

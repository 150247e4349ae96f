import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ESLint, type Linter } from 'eslint'
import { execa } from 'execa'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from './support/temp.ts'

const root = path.dirname(import.meta.dirname)

/** The rules under test need no types, and these snippets stand in no project that could give them. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: [tseslint.configs.disableTypeChecked as Linter.Config],
})

async function brokenRules(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, file) })
  const messages = result?.messages ?? []
  const fatal = messages.find((message) => message.fatal)
  if (fatal) throw new Error(`The snippet could not be read: ${fatal.message}`)
  return messages.map((message) => message.ruleId ?? 'unused suppression')
}

const imports = '@typescript-eslint/no-restricted-imports'
const syntax = 'no-restricted-syntax'

const refused: [title: string, file: string, code: string, rule: string][] = [
  ['shared importing node', 'shared/domain/x.ts', `import fs from 'node:fs'\nfs.statSync('x')`, imports],
  [
    'shared importing node under its bare name',
    'shared/x.ts',
    `import fs from 'fs'\nfs.statSync('x')`,
    imports,
  ],
  ['shared importing shared/node', 'shared/x.ts', `export { y } from './node/y.ts'`, imports],
  [
    'shared/domain importing shared/node',
    'shared/domain/x.ts',
    `export { y } from '../node/git/y.ts'`,
    imports,
  ],
  ['shared importing cli', 'shared/x.ts', `export { y } from '../cli/y.ts'`, imports],
  ['shared importing agentd', 'shared/domain/x.ts', `export { y } from '../../agentd/y.ts'`, imports],
  [
    'shared/node importing agentd',
    'shared/node/git/x.ts',
    `export { y } from '../../../agentd/y.ts'`,
    imports,
  ],
  ['shared/node importing cli', 'shared/node/x.ts', `export { y } from '../../cli/y.ts'`, imports],
  ['cli importing agentd', 'cli/commands/x.ts', `export { y } from '../../agentd/y.ts'`, imports],
  ['cli importing agentd by a detour', 'cli/x.ts', `export { y } from './../agentd/y.ts'`, imports],
  ['agentd importing cli', 'agentd/tasks/x.ts', `export { y } from '../../cli/y.ts'`, imports],
  ['agentd importing tests', 'agentd/x.ts', `export { y } from '../tests/support/y.ts'`, imports],
  [
    'a type import across layers',
    'cli/x.ts',
    `import type { Y } from '../agentd/y.ts'\nexport type X = Y`,
    imports,
  ],
  [
    'a type of node in shared',
    'shared/x.ts',
    `import type { Stats } from 'node:fs'\nexport type X = Stats`,
    imports,
  ],
  ['import()', 'shared/x.ts', `export const y = import('node:fs')`, syntax],
  [
    'require()',
    'cli/x.ts',
    `declare const require: (name: string) => unknown\nexport const y = require('../agentd/y.ts')`,
    syntax,
  ],
  [
    'a package the folder may not use',
    'cli/x.ts',
    `import Database from 'better-sqlite3'\nexport const y = Database`,
    imports,
  ],
  ['an unknown package', 'agentd/x.ts', `import left from 'left-pad'\nexport const y = left`, imports],
  [
    'a package whose name begins like an allowed one',
    'shared/x.ts',
    `export { y } from 'zod-extras'`,
    imports,
  ],
  ['a default export', 'agentd/x.ts', `export default function serve() {}`, 'no-restricted-exports'],
  ['a default export in a test', 'cli/x.test.ts', `export default 1`, 'no-restricted-exports'],
  [
    'a default export by renaming',
    'cli/x.ts',
    `const y = 1\nexport { y as default }`,
    'no-restricted-exports',
  ],
  ['console', 'cli/x.ts', `console.log('x')`, 'no-console'],
  ['process.env', 'agentd/x.ts', `export const home = process.env.HOME`, 'no-restricted-properties'],
  ['process.env by destructuring', 'cli/x.ts', `export const { env } = process`, 'no-restricted-properties'],
  ['env of node:process', 'cli/x.ts', `import { env } from 'node:process'\nexport const home = env`, imports],
  ['vi.mock in a unit test', 'cli/x.test.ts', `import { vi } from 'vitest'\nvi.mock('./y.ts')`, syntax],
  [
    'vi.mock in a test of tests/',
    'tests/integration/x.test.ts',
    `import { vi } from 'vitest'\nvi.mock('./y.ts')`,
    syntax,
  ],
  [
    'a sleep',
    'tests/integration/x.test.ts',
    `await new Promise((resolve) => setTimeout(resolve, 5))`,
    syntax,
  ],
  [
    'a sleep in a block',
    'cli/x.test.ts',
    `await new Promise((resolve) => { setTimeout(resolve, 5) })`,
    syntax,
  ],
  [
    'a sleep of node:timers/promises',
    'tests/support/x.ts',
    `import { setTimeout } from 'node:timers/promises'\nawait setTimeout(5)`,
    imports,
  ],
  [
    'ipcMain outside its home',
    'electron/shell/x.ts',
    `import { ipcMain } from 'electron'\nipcMain.removeHandler('x')`,
    syntax,
  ],
  [
    'ipcMain as a part of electron',
    'electron/shell/x.ts',
    `import electron from 'electron'\nelectron.ipcMain.removeHandler('x')`,
    syntax,
  ],
  [
    'ipcRenderer outside its home',
    'electron/preload/x.ts',
    `import { ipcRenderer } from 'electron'\nvoid ipcRenderer.invoke('x')`,
    syntax,
  ],
  [
    'ipcMain in the home of ipcRenderer',
    'electron/preload/preload.ts',
    `import { ipcMain } from 'electron'\nipcMain.removeHandler('x')`,
    syntax,
  ],
  [
    'webContents.send outside its home',
    'electron/shell/x.ts',
    `import type { BrowserWindow } from 'electron'\nexport const tell = (w: BrowserWindow) => w.webContents.send('x')`,
    syntax,
  ],
  [
    'webContents.send under another name',
    'electron/main.ts',
    `import type { WebContents } from 'electron'\nexport const tell = (contents: WebContents) => contents.send('x')`,
    syntax,
  ],
  ['electron in the services', 'electron/services/x.ts', `export { app } from 'electron'`, imports],
  ['an empty catch', 'cli/x.ts', `export function x() {\n  try {\n    x()\n  } catch {}\n}`, 'no-empty'],
  [
    'a suppression without a reason',
    'cli/x.ts',
    `// eslint-disable-next-line no-console\nconsole.log('x')`,
    'handoff/suppression-reason',
  ],
  [
    'a suppression that suppresses nothing',
    'cli/x.ts',
    `// eslint-disable-next-line no-console -- why\nexport const x = 1`,
    'unused suppression',
  ],
  ['any', 'shared/x.ts', `export const x = (y: any) => String(y)`, '@typescript-eslint/no-explicit-any'],
  [
    'a long function',
    'cli/x.ts',
    `export function x() {\n${'  x()\n'.repeat(60)}}`,
    'handoff/function-length',
  ],
]

const allowed: [title: string, file: string, code: string][] = [
  [
    'shared importing itself and zod',
    'shared/domain/x.ts',
    `import { z } from 'zod'\nexport { y } from '../errors.ts'\nexport const x = z.string()`,
  ],
  [
    'shared/node importing shared and node',
    'shared/node/git/x.ts',
    `export { y } from '../../errors.ts'\nexport { readFile } from 'node:fs/promises'`,
  ],
  [
    'agentd importing both shared folders',
    'agentd/tasks/x.ts',
    `export { x } from '../../shared/x.ts'\nexport { y } from '../../shared/node/y.ts'`,
  ],
  [
    'agentd using SQLite',
    'agentd/store/x.ts',
    `import Database from 'better-sqlite3'\nexport const y = Database`,
  ],
  [
    'cli importing shared and a part of an allowed package',
    'cli/x.ts',
    `export { y } from '../shared/node/host-client/y.ts'\nexport { z } from 'zod/v4'`,
  ],
  [
    'a test importing vitest, node and support',
    'shared/domain/x.test.ts',
    `export { it } from 'vitest'\nexport { tempDirForTest } from '../../tests/support/temp.ts'\nexport { readFile } from 'node:fs/promises'`,
  ],
  [
    'the environment in its home',
    'shared/node/process-environment.ts',
    `export const read = () => process.env`,
  ],
  [
    'waiting by the clock in its home',
    'tests/support/until.ts',
    `await new Promise((resolve) => setTimeout(resolve, 5))`,
  ],
  [
    'a deadline beside other work in a promise',
    'tests/support/x.ts',
    `await new Promise((resolve, reject) => {\n  setTimeout(reject, 5)\n  process.once('exit', resolve)\n})`,
  ],
  [
    'ipcMain and send in their home',
    'electron/shell/ipc.ts',
    `import { ipcMain, type WebContents } from 'electron'\nipcMain.removeHandler('x')\nexport const tell = (contents: WebContents) => contents.send('x')`,
  ],
  [
    'ipcRenderer in its home',
    'electron/preload/preload.ts',
    `import { ipcRenderer } from 'electron'\nexport const call = () => ipcRenderer.invoke('x')`,
  ],
  [
    'a message to a process that is no window',
    'electron/shell/x.ts',
    `export const tell = (child: { postMessage(text: string): void }) => child.postMessage('x')`,
  ],
  ['console in a script', 'scripts/x.mjs', `console.log('x')`],
]

describe('what ESLint refuses', () => {
  it.each(refused)('%s', async (_title, file, code, rule) => {
    expect(await brokenRules(file, code)).toContain(rule)
  })
})

describe('what ESLint lets pass', () => {
  it.each(allowed)('%s', async (_title, file, code) => {
    expect(await brokenRules(file, code)).toEqual([])
  })
})

/** Type-checks one file with the real tsconfigs, in a copy of the folders that holds nothing else. Returns the error codes. */
async function typeErrors(file: string, code: string): Promise<string[]> {
  const dir = await tempDirForTest()
  await cp(path.join(root, 'tsconfig.base.json'), path.join(dir, 'tsconfig.base.json'))
  await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
  for (const folder of ['shared', 'shared/node', 'agentd', 'cli']) {
    await mkdir(path.join(dir, folder), { recursive: true })
    await cp(path.join(root, folder, 'tsconfig.json'), path.join(dir, folder, 'tsconfig.json'))
    await writeFile(path.join(dir, folder, 'there.ts'), 'export const there = 1\n')
  }
  await writeFile(path.join(dir, file), `${code}\n`)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const project = path.join(dir, path.dirname(file))
  const { stdout } = await execa(process.execPath, [tsc, '--build', project], { reject: false })
  return [...new Set(stdout.match(/TS\d+/g) ?? [])]
}

describe('what the types refuse', () => {
  it.each([
    ['node in shared', 'shared/x.ts', `export { readFile } from 'node:fs/promises'`, /TS2307|TS2591|TS2882/],
    ['process in shared', 'shared/x.ts', `export const x = process.pid`, /TS2591|TS2580/],
    ['window in shared', 'shared/x.ts', `export const x = window.name`, /TS2304/],
    ['shared/node in shared', 'shared/x.ts', `export { there } from './node/there.ts'`, /TS6307/],
    ['agentd in cli', 'cli/x.ts', `export { there } from '../agentd/there.ts'`, /TS6307/],
    [
      'cli in agentd, as a type',
      'agentd/x.ts',
      `import type { there } from '../cli/there.ts'\nexport type X = typeof there`,
      /TS6307/,
    ],
    ['agentd in shared/node', 'shared/node/x.ts', `export { there } from '../../agentd/there.ts'`, /TS6307/],
    ['an enum, which Node cannot strip', 'shared/x.ts', `export enum X { A }`, /TS1294/],
  ])('%s', async (_title, file, code, expected) => {
    expect((await typeErrors(file, code)).join(' ')).toMatch(expected)
  })

  it('lets the allowed directions pass', async () => {
    expect(await typeErrors('cli/x.ts', `export { there } from '../shared/node/there.ts'`)).toEqual([])
    expect(await typeErrors('agentd/x.ts', `export { there } from '../shared/there.ts'`)).toEqual([])
    expect(await typeErrors('shared/node/x.ts', `export { readFile } from 'node:fs/promises'`)).toEqual([])
  })
})

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { execa } from 'execa'
import { AppError } from '../../shared/errors.ts'
import { homePaths } from '../../shared/node/home.ts'
import { pause } from '../hosts/retry.ts'
import { makeDemoRepository } from '../../shared/node/demo/repository.ts'
import { FIRST_ANSWER, modelSteps } from './scripted-model/steps.ts'
import { startScriptedModel, type ScriptedModel } from './scripted-model/server.ts'

/** Everything the demo works with, in one temporary folder: a repository, a Handoff home and a tmux server of its own. */
export interface Stage {
  root: string
  repo: string
  home: string
  socketPath: string
  /** A folder beside the repository that the executor will want to delete. */
  outside: string
  env: NodeJS.ProcessEnv
  git(...args: string[]): Promise<string>
  dispose(options: { keep: boolean }): Promise<void>
}

/** Builds the stage; `dispose` ends everything that was started on it. */
export async function buildStage({
  executor,
  env,
}: {
  executor: string
  env: Readonly<Record<string, string | undefined>>
}): Promise<Stage> {
  const opencodeFolder = executor === 'opencode' ? findOpencode(env['PATH'] ?? '') : undefined
  const root = await realpath(await mkdtemp(join(tmpdir(), 'handoff-demo-')))
  const place = (name: string) => join(root, name)
  for (const name of ['repo', 'tmux', 'user', 'outside']) await mkdir(place(name), { mode: 0o700 })
  const stageEnv: NodeJS.ProcessEnv = {
    ...env,
    HANDOFF_HOME: place('home'),
    HOME: place('user'),
    XDG_CONFIG_HOME: place('user/.config'),
    XDG_DATA_HOME: place('user/.local/share'),
    XDG_STATE_HOME: place('user/.local/state'),
    XDG_CACHE_HOME: place('user/.cache'),
    TMUX_TMPDIR: place('tmux'),
    SHELL: '/bin/sh',
  }
  delete stageEnv['TMUX']
  const git = async (...args: string[]) =>
    (await execa('git', args, { cwd: place('repo'), env: stageEnv, extendEnv: false, stdin: 'ignore' }))
      .stdout
  await makeDemoRepository(place('repo'), git)
  const model = opencodeFolder === undefined ? undefined : await prepareOpencode(root, opencodeFolder)
  const paths = homePaths(stageEnv)
  return {
    root,
    repo: place('repo'),
    home: paths.root,
    socketPath: paths.socket,
    outside: place('outside'),
    env: stageEnv,
    git,
    dispose: ({ keep }) => dispose({ root, env: stageEnv, model, keep }),
  }
}

/** The folder of opencode: in the PATH, else the one that the project's tests have installed beside the source. */
function findOpencode(path: string): string {
  // The bundle lies in dist/. The native program, so that a signal reaches it and not npm's launcher.
  const forTests = join(import.meta.dirname, '../tests/executors')
  const installed = join(forTests, 'node_modules', `opencode-${process.platform}-${process.arch}`, 'bin')
  const found = [...path.split(delimiter), installed].find(
    (folder) => folder !== '' && existsSync(join(folder, 'opencode')),
  )
  if (found !== undefined) return found
  throw new AppError({
    code: 'executor_missing',
    message: 'opencode was not found.',
    hint: [
      ...(existsSync(forTests)
        ? [`Fetch the one that the tests use: npm ci --prefix ${relative(process.cwd(), forTests)}`]
        : []),
      'Install it for yourself: npm install -g opencode-ai',
      'Or play the demo with the scripted executor: handoff demo',
    ].join('\n'),
  })
}

async function prepareOpencode(root: string, folder: string): Promise<ScriptedModel> {
  // agentd asks the login shell for the PATH, and a login shell begins with the system's own.
  await writeFile(
    join(root, 'user/.profile'),
    `PATH='${folder.replace(/'/g, `'\\''`)}':"$PATH"\nexport PATH\n`,
  )
  const { first, second } = modelSteps(join(root, 'outside'))
  const model = await startScriptedModel({
    script: {
      vars: { answer: FIRST_ANSWER },
      rules: [
        { match: 'Also write down in the README', steps: second },
        { match: 'Greet people by their name', steps: first },
        { match: '.', steps: [{ text: 'There is nothing to do.' }] },
      ],
    },
  })
  const config = join(root, 'user/.config/opencode')
  await mkdir(config, { recursive: true })
  await writeFile(
    join(config, 'opencode.json'),
    JSON.stringify({
      model: 'scripted/model',
      small_model: 'scripted/model',
      enabled_providers: ['scripted'],
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: model.url, apiKey: 'none' },
          models: {
            model: { name: 'Scripted model', tool_call: true, limit: { context: 100_000, output: 8_000 } },
          },
        },
      },
    }),
  )
  return model
}

async function dispose({
  root,
  env,
  model,
  keep,
}: {
  root: string
  env: NodeJS.ProcessEnv
  model: ScriptedModel | undefined
  keep: boolean
}): Promise<void> {
  // The tmux server is the demo's own (TMUX_TMPDIR): nothing of the person's runs in it.
  await execa('tmux', ['kill-server'], { env, extendEnv: false, reject: false, stdin: 'ignore' })
  await model?.dispose()
  if (keep) return
  // Programs that are just ending may still write; a few tries let them.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const failed = await rm(root, { recursive: true, force: true }).then(
      () => false,
      () => true,
    )
    if (!failed) return
    await pause(100)
  }
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa, type Options, type ResultPromise } from 'execa'
import { jsonShapes, type JsonOut, type JsonShapeName } from '../../cli/json-shapes.ts'
import { startSshd } from './sshd.ts'
import { createTempDir } from './temp.ts'
import { createTmuxPlace } from './tmux.ts'

const program = path.resolve(import.meta.dirname, '../../bin/handoff')
/** Variables that would make the programs under test behave otherwise than for a person at a plain shell. */
export const STEERING_VARIABLES = [
  'CLAUDECODE',
  'AI_AGENT',
  'HANDOFF_TASK',
  'HANDOFF_CLIENT',
  'HANDOFF_EXECUTOR',
  'NO_COLOR',
]
const LIMIT_MS = 90_000

type RunOptions = Options & { env?: Record<string, string> }

/** A machine that is reached over ssh, with a home of its own, and the command line of somebody on this one. */
export async function startRemote() {
  const folder = await createTempDir('hr-')
  const tmux = await createTmuxPlace()
  const remoteHome = path.join(folder.path, 'remote')
  const home = path.join(folder.path, 'h')
  await mkdir(home, { mode: 0o700 })
  const gitConfig = '[user]\n\tname = Test\n\temail = test@example.invalid\n'
  await writeFile(path.join(tmux.home, '.gitconfig'), gitConfig)
  const there = {
    HANDOFF_HOME: remoteHome,
    HOME: tmux.home,
    XDG_CONFIG_HOME: tmux.home,
    TMUX_TMPDIR: tmux.folder,
    SHELL: '/bin/sh',
  }
  const sshd = await startSshd({ env: there })
  const here: NodeJS.ProcessEnv = { ...tmux.environment, SHELL: '/bin/sh', HANDOFF_HOME: home }
  for (const name of STEERING_VARIABLES) delete here[name]

  const start = (args: string[], env: NodeJS.ProcessEnv, options: Options): ResultPromise =>
    execa(program, args, {
      cwd: folder.path,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: LIMIT_MS,
      ...options,
      env,
    }) as ResultPromise

  /** `bin/handoff` of the person here. */
  const handoff = (args: string[], { env = {}, ...options }: RunOptions = {}): ResultPromise =>
    start(args, { ...here, ...env }, options)

  /** The same on the machine over there, as somebody logged in would run it. */
  const handoffThere = (args: string[], { env = {}, ...options }: RunOptions = {}): ResultPromise =>
    start(args, { ...here, ...there, ...env }, options)

  /** Runs with `--json`, checks the documented shape, and answers it; fails with what stderr said. */
  async function json<N extends JsonShapeName>(
    name: N,
    args: string[],
    options: RunOptions = {},
  ): Promise<JsonOut<N>> {
    const { stdout, stderr } = await handoff(['--json', ...args], options)
    if (String(stdout) === '') throw new Error(`handoff ${args.join(' ')}: ${String(stderr)}`)
    return jsonShapes[name].parse(JSON.parse(String(stdout))) as JsonOut<N>
  }

  /** Hands steps of the demo executor to a host and answers what `dispatch --json` says. */
  function dispatch(
    repoPath: string,
    steps: readonly string[],
    more: string[] = [],
  ): Promise<JsonOut<'dispatch'>> {
    const plan = ['# A test', 'demo: fast', ...steps.map((step) => `demo: ${step}`)].join('\n')
    const args = ['dispatch', '--target', 'box', '--executor', 'demo', '--prompt', plan, ...more]
    return json('dispatch', args, { cwd: repoPath })
  }

  /** The next event of a task. */
  const wait = (taskId: string, options: RunOptions = {}): Promise<JsonOut<'wait'>> =>
    json('wait', ['wait', taskId, '--timeout', '40'], options)

  return {
    folder: folder.path,
    home,
    remoteHome,
    sshd,
    tmux,
    /** The environment of the person here, for programs started otherwise. */
    environment: here,
    program,
    handoff,
    handoffThere,
    json,
    dispatch,
    wait,
    /** Adds the machine under a name, as `ssh://`; with the ssh configuration that works unless another is given. */
    addHost: (name: string, config = sshd.configFile, ...more: string[]) =>
      handoff(['host', 'add', name, `ssh://${sshd.host}`, '--ssh-config', config, ...more]),
    /** A copy of the ssh configuration with a change. */
    async sshConfig(name: string, change: (text: string) => string): Promise<string> {
      const file = path.join(folder.path, `ssh_config_${name}`)
      await writeFile(file, change(await readFile(sshd.configFile, 'utf8')))
      return file
    },
    /** The pid of the agentd over there, or undefined when none runs. */
    async agentdPid(): Promise<number | undefined> {
      const { stdout } = await handoffThere(['--json', 'agentd', 'status'])
      const { running, info } = jsonShapes['agentd status'].parse(JSON.parse(String(stdout)))
      return running ? info?.pid : undefined
    },
    sshdLog: () => readFile(path.join(path.dirname(sshd.configFile), 'sshd.log'), 'utf8'),
    /** Ends every task on both sides, both agentds, sshd and tmux, and removes the folders. */
    async dispose(): Promise<void> {
      for (const run of [handoffThere, handoff]) {
        const running = jsonShapes['agentd status'].parse(
          JSON.parse(String((await run(['--json', 'agentd', 'status'])).stdout)),
        )
        if (!running.running) continue
        const { stdout } = await run(['--json', '--host', 'local', 'tasks'])
        const { tasks } = jsonShapes.tasks.parse(JSON.parse(String(stdout)))
        await Promise.all(tasks.map((task) => run(['--host', 'local', 'cancel', task.id, '--yes'])))
        await run(['agentd', 'stop'])
      }
      await sshd.dispose()
      await tmux.dispose()
      await folder.dispose()
    },
  }
}

/** A machine over ssh and the command line that reaches it. */
export type Remote = Awaited<ReturnType<typeof startRemote>>

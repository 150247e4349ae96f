import { execa } from 'execa'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type {
  Delivery,
  DeliveryOutcome,
  ExecutorContext,
  ExecutorFact,
  ExecutorSession,
  ExecutorTask,
} from '../../agentd/executors/adapter.ts'
import { createOpencodeAdapter } from '../../agentd/executors/opencode/adapter.ts'
import { createTmux } from '../../agentd/executors/tmux.ts'
import type { ModelScript } from '../../cli/demo/scripted-model/script.ts'
import { opencodeConfig } from '../../cli/demo/scripted-model/opencode-config.ts'
import { startScriptedModel, type ScriptedModel } from '../../cli/demo/scripted-model/server.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import { opencodeBinary } from './executors.ts'
import { until } from './until.ts'

/** Settings of the adapter that a test may shorten. */
export type AdapterSettings = NonNullable<Parameters<typeof createOpencodeAdapter>[0]['settings']>
type FactOf<T extends ExecutorFact['type']> = Extract<ExecutorFact, { type: T }>

/** What a test wants otherwise than usual. */
export interface OpencodeTaskOptions {
  script: ModelScript
  settings?: AdapterSettings
  /** The user's own opencode.json, merged over the provider. */
  userConfig?: Record<string, unknown>
}

export type OpencodeTask = Awaited<ReturnType<typeof createOpencodeTask>>

/** A task in a real repository with the real opencode in a tmux of its own and a scripted model. Not started yet. */
export async function createOpencodeTask({ script, settings = {}, userConfig = {} }: OpencodeTaskOptions) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'handoff-oc-')))
  const places = await makePlaces(root)
  const model = await startScriptedModel({
    script: { ...script, vars: { repo: places.worktree, outside: places.outside } },
  })
  await writeFile(
    join(places.home, '.config', 'opencode', 'opencode.json'),
    JSON.stringify({ ...opencodeConfig(model.url), snapshot: false, ...userConfig }),
  )
  const task = describeTask(places)
  const tmux = createTmux({ environment: task.environment })
  const adapter = createOpencodeAdapter({ tmux, settings: { agentScreen: false, ...settings } })
  const facts: ExecutorFact[] = []
  const keys = new Set<string>()
  let state: Record<string, unknown> = {}
  let deliveryId = 0
  let mark = 0
  /** What happens when the adapter writes its state: a test may throw here, as a kill of agentd would. */
  let onStateSet: (value: Record<string, unknown>) => void = () => undefined

  const context: ExecutorContext = {
    task,
    state: {
      get: () => structuredClone(state),
      set: (value) => {
        state = structuredClone(value)
        onStateSet(state)
      },
    },
    report: (fact) => {
      if ('key' in fact && fact.key !== undefined) {
        if (keys.has(fact.key)) return
        keys.add(fact.key)
      }
      facts.push(fact)
    },
    log: () => undefined,
  }
  let session: ExecutorSession = adapter.open(context)

  /** The next fact of a type since the last one that was waited for. Each is returned once. */
  async function next<T extends ExecutorFact['type']>(
    type: T,
    fits: (fact: FactOf<T>) => boolean = () => true,
    timeoutMs = 90_000,
  ): Promise<FactOf<T>> {
    const find = () =>
      facts.findIndex((fact, at) => at >= mark && fact.type === type && fits(fact as FactOf<T>))
    try {
      await until(`a fact ${type}`, () => find() >= 0, { timeoutMs })
    } catch (error) {
      throw new Error(`The last facts: ${JSON.stringify(facts.slice(-12), null, 1)}`, { cause: error })
    }
    const index = find()
    mark = index + 1
    return facts[index] as FactOf<T>
  }

  const deliver = (delivery: Delivery): Promise<DeliveryOutcome> => session.deliver(delivery)

  return {
    task,
    tmux,
    adapter,
    model,
    facts,
    places,
    context,
    next,
    get session() {
      return session
    },
    get state() {
      return state
    },
    set onStateSet(hook: typeof onStateSet) {
      onStateSet = hook
    },
    /** Facts of a type since the last one that was waited for. */
    since: <T extends ExecutorFact['type']>(type: T) =>
      facts.slice(mark).filter((fact): fact is FactOf<T> => fact.type === type),
    deliver,
    prompt: (text: string) => deliver({ deliveryId: ++deliveryId, attempt: 1, kind: 'prompt', text }),
    respond: (requestId: string, answer: Answer, ask: 'permission' | 'question' = 'permission') =>
      deliver({ deliveryId: ++deliveryId, attempt: 1, kind: 'respond', requestId, answer, ask }),
    /** Answers, and fails unless the answer was delivered. */
    async give(requestId: string, answer: Answer, ask: 'permission' | 'question' = 'permission') {
      const outcome = await deliver({
        deliveryId: ++deliveryId,
        attempt: 1,
        kind: 'respond',
        requestId,
        answer,
        ask,
      })
      if (outcome.kind !== 'delivered')
        throw new Error(`The answer was not delivered: ${JSON.stringify(outcome)}`)
    },
    /** As after a restart of agentd: another adapter session on the same facts. */
    reopen(): ExecutorSession {
      session.dispose()
      session = adapter.open(context)
      return session
    },
    api: (path: string, init: RequestInit = {}) => callServer(state, path, init),
    serverPid: async () =>
      (await tmux.panes(task.tmuxSession))?.find(({ window }) => window === 'server')?.pid ?? 0,
    async dispose() {
      await session.stop()
      session.dispose()
      await tmux.killSession(task.tmuxSession)
      await model.dispose()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

async function makePlaces(root: string) {
  const binary = opencodeBinary()
  if ('absent' in binary) throw new Error(binary.absent)
  const [home, worktree, outside, dir, bin] = ['home', 'repo', 'outside', 'task', 'bin'].map((name) =>
    join(root, name),
  )
  const places = {
    root,
    home: home ?? '',
    worktree: worktree ?? '',
    outside: outside ?? '',
    dir: dir ?? '',
    bin: bin ?? '',
  }
  for (const folder of [places.worktree, places.outside, places.dir, places.bin, join(root, 'tmux')])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(join(places.home, '.config', 'opencode'), { recursive: true })
  await symlink(binary.path, join(places.bin, 'opencode'))
  await writeFile(join(places.worktree, 'README.md'), 'demo\n')
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: places.worktree,
    })
  await git('init', '-q', '-b', 'main')
  await git('add', '.')
  await git('commit', '-q', '-m', 'first')
  return places
}

function describeTask(places: Awaited<ReturnType<typeof makePlaces>>): ExecutorTask {
  const environment = {
    PATH: [places.bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
    HOME: places.home,
    TMUX_TMPDIR: join(places.root, 'tmux'),
    LANG: 'C.UTF-8',
    HANDOFF_TASK: 'test',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
    // It would fetch the types for plugins.
    npm_config_offline: 'true',
  }
  return {
    taskId: crypto.randomUUID(),
    title: 'Fix the tests',
    worktree: places.worktree,
    branch: 'main',
    base: '0'.repeat(40),
    plan: '',
    dir: places.dir,
    tmuxSession: 'handoff-test',
    environment,
  }
}

async function callServer(state: Record<string, unknown>, path: string, init: RequestInit): Promise<unknown> {
  const { port, password } = state['server'] as { port: number; password: string }
  const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** What the model was told about its tool calls in the last request of a prompt. */
export function toolResults(model: ScriptedModel, promptPart: string): string[] {
  const request = model.requests.filter(({ prompt, helper }) => !helper && prompt.includes(promptPart)).at(-1)
  const messages = (request?.body['messages'] ?? []) as { role: string; content: unknown }[]
  const after = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(after + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? [JSON.stringify(content)] : []))
}

/** Waits for a condition as long as a busy machine may need. */
export async function patiently(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(what, holds, { timeoutMs: 60_000 })
}

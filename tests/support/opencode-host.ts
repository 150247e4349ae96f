import { execa } from 'execa'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { opencodeConfig } from '../../cli/demo/scripted-model/opencode-config.ts'
import type { ModelScript } from '../../cli/demo/scripted-model/script.ts'
import { startScriptedModel, type ModelRequest } from '../../cli/demo/scripted-model/server.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { requestId, startHost } from './agentd.ts'
import { opencodeBinary } from './executors.ts'
import { until } from './until.ts'

const CLI = path.resolve(import.meta.dirname, '../../bin/handoff')
const MARKS = ['CLAUDECODE', 'AI_AGENT', 'HANDOFF_TASK', 'HANDOFF_CLIENT', 'HANDOFF_EXECUTOR']
const PATIENCE_MS = 90_000

type Wake = CallOutput<'wait.next'>
type EventType = Wake['event']['type']

/** What `startOpencodeHost` gives. */
export type OpencodeHost = Awaited<ReturnType<typeof startOpencodeHost>>

/**
 * A real agentd whose executor is the real opencode with a scripted model, which comes by the executor's environment
 * file. `{{outside}}` in the script is a folder outside of every worktree, with a secret.txt in it.
 */
export async function startOpencodeHost({ script }: { script: ModelScript }) {
  const binary = opencodeBinary()
  if ('absent' in binary) throw new Error(binary.absent)
  const vars: Record<string, string> = {}
  const model = await startScriptedModel({ script: { ...script, vars } })
  const host = await startHost({
    prepare: async (home) => {
      const bin = path.join(home, '..', 'bin')
      vars['outside'] = path.join(home, '..', 'outside')
      await mkdir(bin, { recursive: true })
      await mkdir(vars['outside'], { recursive: true })
      await writeFile(path.join(vars['outside'], 'secret.txt'), 'secret\n')
      await symlink(binary.path, path.join(bin, 'opencode'))
      await writeFile(
        path.join(home, 'env', 'opencode.env'),
        environmentFile({ bin, content: { ...opencodeConfig(model.url), snapshot: false } }),
        { mode: 0o600 },
      )
    },
  })
  let connection: HostConnection = await host.connect()

  const call: HostConnection['call'] = (...input) => connection.call(...input)

  /** The next event that wakes a reviewer; fails with what is known of the task when it is of another type. */
  async function wake(task: string, type: EventType, timeoutMs = PATIENCE_MS): Promise<Wake> {
    const abort = AbortSignal.timeout(timeoutMs)
    const answer = await Promise.race([
      call('wait.next', { consumer: 'test', tasks: [task], until: 'wake' }),
      new Promise<undefined>((resolve) => abort.addEventListener('abort', () => resolve(undefined))),
    ])
    if (answer?.event.type !== type) {
      const { events } = await call('task.events', { task, afterSeq: 0 })
      const last = JSON.stringify(events.slice(-12), null, 1).slice(0, 6_000)
      throw new Error(`Expected ${type} but got ${answer?.event.type ?? 'nothing in time'}: ${last}`)
    }
    await call('events.ack', { consumer: 'test', seq: answer.event.seq, taskId: task })
    return answer
  }

  /** Answers a ticket, as the person who was shown it where only the person may. */
  async function answer(asked: Wake | string, given: Answer): Promise<CallOutput<'ticket.answer'>> {
    const ticket = typeof asked === 'string' ? asked : String(asked.event.body['ticketId'])
    const shown = await call('ticket.present', { ticket })
    const typed = { nonce: shown.nonce, sha256: shown.sha256 }
    const forPerson = shown.ticket.audience === 'user'
    return call('ticket.answer', {
      requestId: requestId(),
      ticket,
      answer: given,
      ...(forPerson ? { typed } : {}),
    })
  }

  return {
    host,
    model,
    call,
    wake,
    answer,
    cli(args: string[], cwd = host.root) {
      const env = { ...host.environment }
      for (const name of MARKS) delete env[name]
      return execa(CLI, args, {
        cwd,
        env,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        timeout: PATIENCE_MS,
      })
    },
    async dispatch(repo: string, plan: string) {
      const { task } = await call('task.dispatch', {
        requestId: requestId(),
        title: 'A test',
        plan,
        executor: 'opencode',
        repo: { kind: 'path', path: repo },
      })
      return task
    },
    continue: (task: string, text: string) => call('task.continue', { requestId: requestId(), task, text }),
    /** SIGKILL for agentd, and a new one. */
    async killAgentd(): Promise<void> {
      await host.end('SIGKILL')
      await host.start()
      connection = await host.connect()
    },
    /** What the model was asked after a prompt with this mark, titles left out. */
    asked: (mark: string): ModelRequest[] =>
      model.requests.filter(({ helper, prompt }) => !helper && prompt.includes(mark)),
    ticket: async (id: string) => (await call('ticket.get', { ticket: id })).ticket,
    events: async (task: string) => (await call('task.events', { task, afterSeq: 0 })).events,
    /** Resolves with the process of opencode's server of a task. */
    serverPid: async (task: string): Promise<number> => {
      const session = (await call('task.get', { task })).tmux?.session ?? ''
      const format = '#{window_name} #{pane_pid}'
      const panes = await host.tmux.tmux('list-panes', '-s', '-t', session, '-F', format)
      return Number(/^server (\d+)$/m.exec(panes)?.[1])
    },
    until: <T>(what: string, probe: () => T | Promise<T>) =>
      until(what, probe, { timeoutMs: PATIENCE_MS, intervalMs: 50 }),
    async dispose(): Promise<void> {
      connection.close()
      await host.dispose()
      await model.dispose()
    },
  }
}

/** Nothing of it may reach for the network, which these tests do not have. */
function environmentFile({ bin, content }: { bin: string; content: unknown }): string {
  return [
    `PATH='${[bin, path.dirname(process.execPath), process.env['PATH'] ?? ''].join(':')}'`,
    `OPENCODE_CONFIG_CONTENT='${JSON.stringify(content)}'`,
    'OPENCODE_DISABLE_MODELS_FETCH=1',
    'OPENCODE_DISABLE_LSP_DOWNLOAD=1',
    'OPENCODE_DISABLE_DEFAULT_PLUGINS=1',
    'OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER=1',
    'OPENCODE_DISABLE_EXTERNAL_SKILLS=1',
    'OPENCODE_DISABLE_CLAUDE_CODE=1',
    'npm_config_offline=true',
    '',
  ].join('\n')
}

// Wake-up latency: from asking for a fact until a real `handoff wait --follow` has printed its event as a line. The time
// therefore also holds the way of the request and the commit; the baseline is a bare WebSocket round trip.
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { homePaths, openHome } from '../../../shared/node/home.ts'
import { connect, root, startAgentd, withFolder } from '../support/agentd.ts'
import { startBareServer } from '../support/bare-ws.ts'
import { median, percentile, report } from '../support/report.ts'

const SAMPLES = 300
const handoff = path.join(root, 'bin/handoff')

await withFolder(async (folder) => {
  const home = homePaths({ HANDOFF_HOME: path.join(folder, 'h') })
  await openHome(home)
  const env = { ...process.env, HANDOFF_HOME: home.root, TMUX_TMPDIR: folder }
  const agentd = await startAgentd(home, env)
  const bare = await startBareServer(folder)
  try {
    const task = dispatch(await repository(folder), env)
    const connection = await connect(home, 'bench-wake')
    const wait = spawn(handoff, ['wait', task, '--follow'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: wait.stdout })
    let printed: { text: string; done: () => void } | undefined
    lines.on('line', (line) => {
      if (printed && line.includes(printed.text)) printed.done()
    })
    const note = async (): Promise<number> => {
      const text = `note ${randomUUID()}`
      const shown = new Promise<void>((done) => (printed = { text, done }))
      const start = performance.now()
      await connection.call('task.note', { requestId: randomUUID(), task, text })
      await shown
      return performance.now() - start
    }
    // The first one also waits until the command has started and connected.
    for (let n = 0; n < 10; n++) await note()
    const ours: number[] = []
    const bares: number[] = []
    for (let n = 0; n < SAMPLES; n++) {
      bares.push(await bare.roundTrip())
      ours.push(await note())
    }
    report({ case: 'wake-up, p50', unit: 'ms', value: median(ours), baseline: median(bares) })
    report({ case: 'wake-up, p99', unit: 'ms', value: percentile(ours, 99), baseline: percentile(bares, 99) })
    const ended = once(wait, 'exit')
    await connection.call('task.cancel', { requestId: randomUUID(), task })
    await ended
    connection.close()
  } finally {
    await bare.stop()
    await agentd.stop()
  }
})

async function repository(folder: string): Promise<string> {
  const repo = path.join(folder, 'repo')
  await mkdir(repo)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: repo })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'start')
  return repo
}

function dispatch(repo: string, env: NodeJS.ProcessEnv): string {
  const args = ['dispatch', '--prompt', 'Greet the world.', '--executor', 'demo', '--repo', repo, '--json']
  const output = execFileSync(handoff, args, { env, encoding: 'utf8' })
  const id = /"(?:taskId|id)":\s*"([0-9a-f-]{36})"/.exec(output)?.[1]
  if (!id) throw new Error(`dispatch printed no task: ${output}`)
  return id
}

// Memory with 1 000 tasks and 1 000 000 events, and what an idle agentd costs. Reads /proc, so it runs on Linux only.
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises' // eslint-disable-line @typescript-eslint/no-restricted-imports -- idleness is measured over a span of time
import { connect, filledHome, processFacts, startAgentd, withFolder } from '../support/agentd.ts'
import { report } from '../support/report.ts'

const IDLE_SECONDS = 10

if (process.platform !== 'linux') {
  process.stderr.write('memory-and-idle needs /proc and is left out on this system.\n')
  process.exit(0)
}

await withFolder(async (folder) => {
  const home = await filledHome(folder, { tasks: 1_000, events: 1_000_000 })
  const agentd = await startAgentd(home)
  // An interpreter that does nothing: what of it all is Node itself.
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 15000)'], { stdio: 'ignore' })
  try {
    const connection = await connect(home, 'bench-memory')
    const { tasks } = await connection.call('task.list', { over: true, limit: 500 })
    if (tasks.length === 0) throw new Error('agentd lists no task.')
    connection.close()
    await connection.closed
    await pause(3_000)
    const before = await processFacts(agentd.pid)
    const bareBefore = await processFacts(bare.pid ?? 0)
    await pause(IDLE_SECONDS * 1_000)
    const after = await processFacts(agentd.pid)
    const bareAfter = await processFacts(bare.pid ?? 0)
    report({
      case: 'memory, 1 000 tasks and 1 000 000 events',
      unit: 'MB RSS',
      value: after.rssMegabytes,
      baseline: bareAfter.rssMegabytes,
      goal: { of: 'value', atMost: 120 },
    })
    report({
      case: 'idle wake-ups',
      unit: 'per second',
      value: (after.wakeUps - before.wakeUps) / IDLE_SECONDS,
      baseline: Math.max(0.1, (bareAfter.wakeUps - bareBefore.wakeUps) / IDLE_SECONDS),
      // The heartbeat, and a timer of the system now and then.
      goal: { of: 'value', atMost: 1 },
    })
    report({
      case: 'idle CPU',
      unit: 'ms per second',
      value: (after.cpuMs - before.cpuMs) / IDLE_SECONDS,
      goal: { of: 'value', atMost: 2 },
    })
  } finally {
    bare.kill()
    await agentd.stop()
  }
})

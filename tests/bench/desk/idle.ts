// What an idle desk costs: three hosts that are live, 50 000 cached tasks, one window open. Reads /proc, so it runs on Linux only.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises' // eslint-disable-line @typescript-eslint/no-restricted-imports -- idleness is measured over a span of time
import { createHostStore } from '../../../shared/node/hosts/host-store.ts'
import { processFacts } from '../support/agentd.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const IDLE_SECONDS = 20

if (process.platform !== 'linux') {
  process.stderr.write('idle needs /proc and is left out on this system.\n')
  process.exit(0)
}

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const home = await deskHome(path.join(folder, 'h'), { tasks: 20_000, running: 100, tickets: 50 })
  keep(await startToldHost(home, env))
  for (const name of ['build-1', 'build-2']) {
    const contents = { tasks: 15_000, running: 50, tickets: 20, other: { name, deskHome: home } }
    const host = keep(await startToldHost(await deskHome(path.join(folder, name), contents), env))
    createHostStore(home.root).add({ name, ...(await host.listen()) })
  }
  const desk = keep(await startBenchDesk(home, env))
  const page = await browser.newPage()
  await page.goto(await desk.newUrl())
  await page.locator('[role=option] time').first().waitFor()
  await untilSettled(home, desk.facts)
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 15000)'], { stdio: 'ignore' })
  try {
    desk.rest()
    // What is compiled and collected after the start is over then.
    await pause(3_000)
    const [before, bareBefore] = [await processFacts(desk.pid), await processFacts(bare.pid ?? 0)]
    await pause(IDLE_SECONDS * 1_000)
    const [after, bareAfter] = [await processFacts(desk.pid), await processFacts(bare.pid ?? 0)]
    report({
      case: 'idle CPU of the services',
      unit: 'ms per second',
      value: (after.cpuMs - before.cpuMs) / IDLE_SECONDS,
      goal: { of: 'value', atMost: 5 },
    })
    report({
      case: 'idle wake-ups of the services',
      unit: 'per second',
      value: (after.wakeUps - before.wakeUps) / IDLE_SECONDS,
      baseline: Math.max(0.1, (bareAfter.wakeUps - bareBefore.wakeUps) / IDLE_SECONDS),
    })
    report({
      case: 'memory of the services, 50 000 tasks of 3 hosts',
      unit: 'MB RSS',
      value: after.rssMegabytes,
      baseline: bareAfter.rssMegabytes,
      goal: { of: 'value', atMost: 250 },
    })
  } finally {
    bare.kill()
  }
})

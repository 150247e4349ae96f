// 200 connected clients: how long until every one of them has an event that was just committed, and what they cost.
import { randomUUID } from 'node:crypto'
import { connect, filledHome, processFacts, sampleEvent, startAgentd, withFolder } from '../support/agentd.ts'
import { taskId } from '../../support/sample-store.ts'
import { startBareServer } from '../support/bare-ws.ts'
import { median, percentile, report } from '../support/report.ts'

const CLIENTS = 200
const ROUNDS = 20

await withFolder(async (folder) => {
  const home = await filledHome(folder, { tasks: 1, events: 10 })
  const agentd = await startAgentd(home)
  const bare = await startBareServer(folder)
  let seen = 0
  let allSeen: () => void = () => undefined
  const text = JSON.stringify({ seq: 1, taskId: taskId(1), at: Date.now(), ...sampleEvent })
  try {
    const clients = []
    for (let n = 0; n < CLIENTS; n++)
      clients.push(
        await connect(home, `bench-${n}`, {
          resume: { fromSeq: 10 },
          onEvents(events) {
            seen += events.length
            if (seen >= CLIENTS) allSeen()
          },
        }),
      )
    const [first] = clients
    const ours: number[] = []
    const bares: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bares.push(await bare.push(CLIENTS, text))
      seen = 0
      const everybody = new Promise<void>((resolve) => (allSeen = resolve))
      const start = performance.now()
      await first?.call('task.note', { requestId: randomUUID(), task: taskId(1), text: `note ${round}` })
      await everybody
      ours.push(performance.now() - start)
    }
    const name = `${CLIENTS} clients, until the last one has an event`
    report({ case: `${name}, p50`, unit: 'ms', value: median(ours), baseline: median(bares) })
    report({ case: `${name}, p99`, unit: 'ms', value: percentile(ours, 99), baseline: percentile(bares, 99) })
    if (process.platform === 'linux') {
      const { rssMegabytes } = await processFacts(agentd.pid)
      report({ case: `memory with ${CLIENTS} clients`, unit: 'MB RSS', value: rssMegabytes })
    }
    for (const client of clients) client.close()
    await Promise.all(clients.map((client) => client.closed))
  } finally {
    await bare.stop()
    await agentd.stop()
  }
})

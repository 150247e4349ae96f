// Replay of 100 000 events to a client that resumes at the beginning, against a bare push of as many messages.
import { taskId } from '../../support/sample-store.ts'
import { connect, filledHome, sampleEvent, startAgentd, withFolder } from '../support/agentd.ts'
import { startBareServer } from '../support/bare-ws.ts'
import { median, report } from '../support/report.ts'

const EVENTS = 100_000
const ROUNDS = 3

await withFolder(async (folder) => {
  const home = await filledHome(folder, { tasks: 100, events: EVENTS })
  const agentd = await startAgentd(home)
  const bare = await startBareServer(folder)
  const text = JSON.stringify({ seq: EVENTS, taskId: taskId(1), at: Date.now(), ...sampleEvent })
  const ours: number[] = []
  const bares: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      bares.push(await bare.push(EVENTS, text))
      ours.push(await replay())
    }
  } finally {
    await bare.stop()
    await agentd.stop()
  }
  report({
    case: 'replay of 100 000 events',
    unit: 'events/s',
    value: (EVENTS / median(ours)) * 1000,
    baseline: (EVENTS / median(bares)) * 1000,
    goal: { of: 'ratio', atLeast: 0.4 },
  })

  async function replay(): Promise<number> {
    const start = performance.now()
    let last = 0
    let finish: () => void = () => undefined
    let fail: (error: Error) => void = () => undefined
    const finished = new Promise<void>((resolve, reject) => ([finish, fail] = [resolve, reject]))
    const connection = await connect(home, `bench-${start}`, {
      resume: { fromSeq: 0 },
      onSnapshot: () => fail(new Error('A snapshot came where events were expected.')),
      onEvents(events) {
        for (const event of events) {
          if (event.seq !== last + 1) fail(new Error(`Event ${event.seq} came after ${last}.`))
          last = event.seq
        }
        if (last >= EVENTS) finish()
      },
    })
    await finished
    const tookMs = performance.now() - start
    connection.close()
    await connection.closed
    return tookMs
  }
})

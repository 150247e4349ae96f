// A parent of a pty host that can be killed: starts it with one program and tells both pids.
import { forkPtyHostWithNode } from '../../electron/services/terminals/fork-node.ts'
import { createPtyHost } from '../../electron/services/terminals/pty-host.ts'

const host = createPtyHost({ fork: forkPtyHostWithNode(process.argv[2] ?? '') })
const pty = await host.spawn({
  argv: ['sh', '-c', 'echo "<$PPID $$>"; while :; do sleep 1; done'],
  env: { PATH: process.env['PATH'] ?? '' },
  cols: 80,
  rows: 24,
  cwd: '/',
})
pty.onData((chunk) => {
  const pids = /<(\d+) (\d+)>/.exec(Buffer.from(chunk).toString())
  if (pids !== null) process.send?.([Number(pids[1]), Number(pids[2])])
})

// `npm test`: sets up what the tests need, builds, runs vitest, and says what passed, what failed and what was skipped.
//   npm test -- tests/integration/git     further arguments go to vitest
//   npm run test:quick                    without downloads and without the slow integration suites
//   npm test -- --prepare                 only what has to be downloaded, so that it can happen beside something else
//   HANDOFF_FAIL_ON_SKIP=1 npm test       a skipped spec is a failure
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'
import { installPrograms } from './system.mjs'
import { installExecutors } from './test/executors.mjs'
import { endLeftovers, findLeftovers } from './test/leftovers.mjs'
import { readResults, summarise } from './test/results.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const quick = process.argv.includes('--quick')
const vitestArgs = process.argv.slice(2).filter((arg) => arg !== '--quick')
const failOnSkip = process.env.HANDOFF_FAIL_ON_SKIP === '1'

if (!quick) {
  await installPrograms({
    who: 'The tests use',
    otherwise: 'The specs that need it are skipped. To run them, install it:',
  })
  installExecutors(root)
}
if (process.argv.includes('--prepare')) process.exit(0)
const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], {
  cwd: root,
  stdio: 'inherit',
})
if (build.status !== 0) finish({ passed: 0, failed: 1 }, ['The build failed; see above.'])

// One folder holds everything the run makes, and its name in a process's environment shows who started that process.
const runDir = realpathSync(mkdtempSync('/tmp/ho-run-'))
const results = path.join(runDir, 'results.json')
const projects = quick ? ['--project', 'unit', '--project', 'quick'] : []
const vitest = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...vitestArgs,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: runDir,
      HANDOFF_TEST_RUN: runDir,
      PATH: [path.dirname(process.execPath), path.join(root, 'node_modules/.bin'), process.env.PATH].join(
        ':',
      ),
    },
  },
)

const leftovers = await findLeftovers(runDir)
await endLeftovers(leftovers)
const outcome = summarise({
  results: readResults(results),
  vitestStatus: vitest.status,
  leftovers,
  failOnSkip,
  // A run narrowed by name reports every other spec as skipped, which says nothing about this machine.
  narrowed: vitestArgs.some((arg) => arg === '-t' || arg.startsWith('--testNamePattern')),
  root,
})
rmSync(runDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
finish(outcome.counts, outcome.lines)

/** Prints the closing lines and ends. The last line has a fixed form that other programs read. */
function finish({ passed, failed }, lines) {
  for (const line of lines) console.log(line)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

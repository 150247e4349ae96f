// `npm run bench -- agentd|desk [case …]`: runs tests/bench/<name>/*.ts one after the other, each in a process of its own.
// stdout: one JSON line per measurement. stderr: the same as a table. Ends with 1 when a goal was missed or a case failed.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { useFitNode } from './fit-node.mjs'
import { installPrograms } from './system.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const folder = path.join(root, 'tests/bench')
const known = readdirSync(folder).filter((name) => name !== 'support')
const [bench, ...cases] = process.argv.slice(2)
if (!bench || !known.includes(bench)) {
  console.error(`Which bench? npm run bench -- NAME [CASE …]. There are: ${known.join(', ')}.`)
  process.exit(2)
}
const files = readdirSync(path.join(folder, bench)).filter((file) => /\.(ts|mjs)$/.test(file))
const chosen = files.filter((file) => cases.length === 0 || cases.includes(path.parse(file).name))
if (chosen.length === 0) {
  const names = files.map((file) => path.parse(file).name)
  console.error(`No such case. ${bench} has: ${names.join(', ')}.`)
  process.exit(2)
}
if (bench === 'desk')
  await installPrograms({
    who: 'The benches of the desk use',
    otherwise: 'What needs it is left out. To measure that too, install it:',
    names: ['git', 'tmux', 'chromium'],
  })
const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(1)

const results = []
let failed = false
for (const file of chosen) {
  console.error(`${bench}/${file} …`)
  const code = await run(path.join(folder, bench, file))
  if (code !== 0) {
    failed = true
    console.error(`${bench}/${file} ended with code ${code}`)
  }
}
console.error(`\n${table(results)}`)
process.exit(failed || results.some((result) => !result.ok) ? 1 : 0)

function run(file) {
  const args = ['--experimental-strip-types', '--no-warnings', '--expose-gc', file]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 2] })
  // Ending the bench ends the case, which then ends what it started.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line)
    results.push(JSON.parse(line))
  })
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
}

function table(rows) {
  const text = rows.map((row) => [
    row.case,
    number(row.value),
    row.unit,
    number(row.baseline),
    number(row.ratio),
    row.goal ?? '-',
    row.ok ? 'ok' : 'MISSED',
  ])
  const all = [['case', 'value', 'unit', 'baseline', 'ratio', 'goal', ''], ...text]
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => String(line[column]).length)))
  return all
    .map((line) => line.map((cell, column) => String(cell).padEnd(widths[column])).join('  '))
    .join('\n')
}

function number(value) {
  if (value === null) return '-'
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2)
}

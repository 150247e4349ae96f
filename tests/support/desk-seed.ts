import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, requestId } from './agentd.ts'
import { answerElsewhere, openTicket, taskReaches } from './host-side.ts'
import { createRepository, type TestRepository } from './repository.ts'

/** The repository of the seeded tasks: a small shop, as it might be. */
export const SHOP_FILES = {
  'README.md': '# Shop\n\nSells things.\n',
  'src/export/csv.ts':
    "export type Row = string[]\n\nexport function toCsv(rows: Row[]): string {\n  return rows.map((row) => row.join(',')).join('\\n')\n}\n",
  'src/export/index.ts': "export { toCsv } from './csv.ts'\n",
  'package.json': '{ "name": "shop", "type": "module" }\n',
}

const CSV = [
  'export type Row = string[]',
  '',
  "const LINE_END = '\\u000d\\u000a'",
  '',
  'export function toCsv(rows: Row[]): string {',
  "  return rows.map((row) => row.map(quote).join(',')).join(LINE_END)",
  '}',
  '',
  '/** Quotes a cell that needs it. */',
  'function quote(cell: string): string {',
  '  return /[",\\s]/.test(cell) ? `"${cell.replaceAll(\'"\', \'""\')}"` : cell',
  '}',
].join('\\n')

/** Tasks of a working day by the demo executor: one in each state that a person meets. Answers their ids by name. */
export async function seedDay(connection: HostConnection) {
  const repo = await createRepository(SHOP_FILES, 'shop')
  const dispatch = async (title: string, ...lines: string[]) =>
    (await dispatchDemo(connection, repo.path, `# ${title}\n\n${lines.join('\n')}`, { title })).id
  const ids = {
    throttle: await dispatch(
      'Login throttling',
      'Wrong passwords are throttled per account.\n',
      'demo: say I read the sign-in code first.',
      'demo: write src/auth/throttle.ts export const LIMIT = 5',
      'demo: ask-permission-two rm -rf dist ../shared-cache | npm test -- auth',
      'demo: commit Throttle',
    ),
    product: await dispatch(
      'Lock accounts',
      'demo: question Lock the account after 5 or 10 failures? [5 failures|10 failures|Ask me again next week] product',
      'demo: no-trailer',
    ),
    technical: await dispatch(
      'Refund flow',
      'demo: question Which job queue do we use? technical',
      'demo: no-trailer',
    ),
    long: await dispatch(
      'A command as long as they come',
      `demo: ask-permission node --test ${Array.from({ length: 60 }, (_, at) => `tests/checkout/case-${at + 1}.test.mjs`).join(' ')}`,
      'demo: no-trailer',
    ),
    review: await dispatch(
      'Export to CSV',
      'Cells with commas, quotes and line breaks are quoted.\n',
      `demo: write src/export/csv.ts ${CSV}`,
      "demo: append src/export/index.ts export type { Row } from './csv.ts'",
      'demo: write tests/csv.test.ts // to be written',
      'demo: commit Quote cells that need it',
    ),
    crashed: await dispatch('Tune the batch size', 'demo: say I begin.', 'demo: crash'),
    running: await dispatch('Upgrade the linter', 'demo: say Reading the configuration.', 'demo: hang'),
    done: await dispatch('Rename a flag', 'demo: write flag.txt renamed', 'demo: commit Rename the flag'),
    cancelled: await dispatch('Try another font', 'demo: hang'),
  }
  await finishRounds(connection, ids)
  return { repo, ids }
}

/** What `seedDay` made. */
export type SeededDay = { repo: TestRepository; ids: Record<string, string> }

async function finishRounds(
  connection: HostConnection,
  ids: { review: string; done: string; cancelled: string; crashed: string; throttle: string; long: string },
): Promise<void> {
  await taskReaches(connection, ids.review, 'waiting_review')
  await connection.call('task.continue', {
    requestId: requestId(),
    task: ids.review,
    text: [
      'A cell that starts with = + - @ is a formula in a spreadsheet. Prefix it, and test that.',
      'demo: fast',
      'demo: append src/export/csv.ts \\n/** Spreadsheets take such a cell for a formula. */\\nexport const isFormula = (cell: string): boolean => /^[=+@-]/.test(cell)',
      "demo: write tests/csv.test.ts import { isFormula } from '../src/export/csv.ts'\\n\\nconsole.assert(isFormula('=1+1'))",
      'demo: commit Tell formulas from text',
    ].join('\n'),
  })
  await taskReaches(connection, ids.done, 'waiting_review')
  await connection.call('task.done', {
    requestId: requestId(),
    task: ids.done,
    push: false,
    keepWorktree: false,
  })
  await connection.call('task.cancel', { requestId: requestId(), task: ids.cancelled })
  await taskReaches(connection, ids.crashed, 'failed')
  const routine = await openTicket(connection, ids.throttle, 'npm test')
  await connection.call('ticket.get', { ticket: routine.id })
  await openTicket(connection, ids.long, 'node --test')
  await taskReaches(connection, ids.review, 'waiting_review')
}

/** Answers an open ticket of a task for the person at another place. */
export async function answeredElsewhere(connection: HostConnection, task: string, text: string) {
  const { id } = await openTicket(connection, task, text)
  await answerElsewhere(connection, id, { kind: 'deny', stop: false, message: 'Not that one' })
  return id
}

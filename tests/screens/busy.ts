import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { WebSocketServer } from 'ws'
import { taskRoute, ticketRoute } from '../../shared/ipc/routes.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, startHost } from '../support/agentd.ts'
import { goTo, PATIENCE_MS } from '../support/desk-page.ts'
import { SHOP_FILES } from '../support/desk-seed.ts'
import { startDesk } from '../support/desk.ts'
import { openTicket, taskReaches } from '../support/host-side.ts'
import { startRemote } from '../support/remote.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { addHost } from '../support/second-host.ts'
import { until } from '../support/until.ts'

/** What is asked on a day on which everything comes at once: routine commands, and some that only the person may allow. */
const ASKED: readonly (readonly [title: string, ...commands: string[]])[] = [
  [
    'Release 4.2',
    'npm publish',
    'git push --force origin main',
    'npm run build',
    'git tag v4.2.0',
    'npm pack',
  ],
  [
    'Move to the new database',
    'psql -h db.internal shop',
    'npx prisma migrate reset',
    'npm run seed',
    'npm test',
  ],
  ['Nightly backups', 'ssh backup@nas', 'crontab -l', 'sudo systemctl restart cron', 'ls backups', 'df -h'],
  [
    'Clean the workspace',
    'rm -rf ../node_modules',
    'git reset --hard HEAD~3',
    'git gc',
    'du -sh .',
    'ls -la',
  ],
  [
    'Speed up the checkout',
    'npm run bench',
    'node --cpu-prof server.js',
    'npm run build',
    'npm test -- cart',
  ],
  ['Upgrade the linter', 'npx eslint . --fix', 'npm outdated', 'npm install eslint@10', 'npm run lint'],
  [
    'Translate the shop',
    'npm run i18n',
    'sh -c "$(curl -fsSL https://example.org/install.sh)"',
    'npm run check',
    'ls src/i18n',
  ],
  ['Deploy the preview', 'kubectl apply -f preview.yaml', 'docker build .', 'npm run e2e', 'git status'],
  ['Refund flow', 'npm test -- refund', 'npm run typecheck', 'npm run lint', 'cat .env', 'npm run build'],
  ['Image sizes', 'npx sharp-cli --version', 'ls -la public', 'npm run images', 'du -sh public', 'npm test'],
]

const EDITED = [
  'export type Row = string[]',
  '',
  "const LINE_END = '\\u000d\\u000a'",
  '',
  '/** One line per row; cells are quoted where they need it. */',
  'export function toCsv(rows: Row[]): string {',
  "  return rows.map((row) => row.map(quote).join(',')).join(LINE_END)",
  '}',
].join('\\n')

/** More than a badge has room for. */
const DANGERS = Array.from({ length: 100 }, (_, at) => `rm -rf ../cache-${at + 1}`).join(' | ')
/** A title as long as they may be, and one that cannot be broken. */
const LONG_TITLE =
  'Move every export of the shop, the warehouse and the accounts to the new table format, with one sheet for each month, '.padEnd(
    200,
    'a name that goes on and on, ',
  )
const DEEP_FOLDER = Array.from({ length: 12 }, (_, at) => `a-folder-with-a-long-name-${at}`).join('/')
export const LONG_HOST = 'build-machine-of-the-platform-team-in-the-second-data-centre'

/** Where the states of the busy desk are. */
export interface BusyPlaces {
  /** Many files, one of them deep down, by an agent whose command failed. */
  wide: string
  /** Asks for something with a path that has no end. */
  long: string
  edit: string
  stalled: string
  offline: string
}

/**
 * A desk with fifty things that wait, among them an edit, a task that has gone silent and one whose executor is offline; its host
 * `old-box` speaks an older protocol, and, where ssh can be had, Handoff can be installed on `devbox`.
 */
export async function startBusyDesk() {
  const host = await startHost({ config: { watchdogMinutes: 0.05 } })
  const repo = await createRepository(SHOP_FILES, 'shop')
  const connection = await host.connect()
  const places = await fill(connection, repo.path)
  const desk = await startDesk({ host })
  const old = await startOldHost()
  const remote = requires('sshd').skip ? undefined : await startRemote()
  return {
    desk,
    places,
    /** Adds the other hosts in an English window. */
    async addHosts(page: Page): Promise<void> {
      await addHost(page, { where: old.address, name: 'old-box', token: 'a-token' })
      await addHost(page, { where: old.address, name: LONG_HOST, token: 'a-token' })
      const where = `ssh://${remote?.sshd.host ?? 'devbox.invalid'}`
      await addHost(page, { where, name: 'devbox', sshConfig: remote?.sshd.configFile ?? '/dev/null' })
      await goTo(page, '/hosts/old-box')
      await page.getByText('Upgrade Handoff there').first().waitFor({ timeout: PATIENCE_MS })
    },
    async dispose(): Promise<void> {
      connection.close()
      await desk.dispose()
      await remote?.dispose()
      await old.dispose()
      await host.dispose()
      await repo.dispose()
    },
  }
}

async function fill(connection: HostConnection, repo: string): Promise<BusyPlaces> {
  const dispatch = async (title: string, plan: string) =>
    (await dispatchDemo(connection, repo, plan, { title })).id
  const silent = await dispatch('Tune the batch size', 'demo: say I begin.\ndemo: hang')
  const away = await dispatch('Index the catalogue', 'demo: say I begin.\ndemo: hang-up\ndemo: hang')
  const edit = await dispatch('Export to CSV', `demo: ask-edit src/export/csv.ts ${EDITED}\ndemo: no-trailer`)
  const wide = await dispatch(
    LONG_TITLE,
    [
      `demo: write ${DEEP_FOLDER}/index.ts export const deep = true`,
      ...Array.from(
        { length: 300 },
        (_, at) => `demo: write src/part-${at % 20}/file-${at}.ts export const a = ${at}`,
      ),
      'demo: run ls not-there',
      'demo: commit Three hundred files',
    ].join('\n'),
  )
  const long = await dispatch(
    'x'.repeat(200),
    `demo: ask-permission rm -rf ../${DEEP_FOLDER}/${'y'.repeat(120)}\ndemo: no-trailer`,
  )
  for (const [title, ...commands] of ASKED)
    await dispatch(title, `demo: ask-permission-two ${commands.join(' | ')}\ndemo: no-trailer`)
  const marked = (task: string, mark: 'stalledSince' | 'offlineSince') =>
    until(
      `${mark} of a task`,
      async () => (await connection.call('task.get', { task })).task[mark] !== undefined,
      { timeoutMs: 60_000 },
    )
  await marked(silent, 'stalledSince')
  await marked(away, 'offlineSince')
  await dispatch('Clear the caches', `demo: ask-permission-two ${DANGERS}\ndemo: no-trailer`)
  await taskReaches(connection, wide, 'waiting_review')
  return {
    wide: taskRoute('local', wide),
    long: ticketRoute('local', await openTicket(connection, long, 'rm -rf')),
    edit: ticketRoute('local', await openTicket(connection, edit, 'csv.ts')),
    stalled: `/inbox/local/${silent}`,
    offline: `/inbox/local/${away}`,
  }
}

/** Somebody at a port who speaks an older protocol. */
async function startOldHost() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const error = {
    code: 'protocol_mismatch',
    message: 'The host speaks protocol 0, this program 1.',
    hint: 'Update Handoff on the older side.',
    details: { host: 0, client: 1 },
  }
  server.on('connection', (socket) =>
    socket.on('message', () => socket.send(JSON.stringify({ t: 'refused', error }))),
  )
  return {
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async dispose(): Promise<void> {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

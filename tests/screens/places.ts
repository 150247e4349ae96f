import type { Page } from 'playwright-core'
import { ticketRoute, taskRoute } from '../../shared/ipc/routes.ts'
import type { BusyPlaces } from './busy.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, requestId } from '../support/agentd.ts'
import { clickToDecide, goTo, openRow, PATIENCE_MS } from '../support/desk-page.ts'
import { answeredElsewhere, type SeededDay } from '../support/desk-seed.ts'
import { openTicket } from '../support/host-side.ts'
import { addHost, isLive, type SecondHost } from '../support/second-host.ts'

/** Where the states are that are photographed. */
export interface ScreenPlaces {
  tickets: Record<
    'dangerous' | 'routine' | 'product' | 'technical' | 'review' | 'long' | 'answered' | 'expired' | 'queued',
    string
  >
  failed: string
  review: string
  running: string
  crashed: string
  repo: string
  /** Of the busy desk. */
  busy: BusyPlaces
}

const LOCAL = 'local'

/** Brings the hosts of a seeded day into the states that only events of the protocol reach, and says where everything is. */
export async function findPlaces(
  connection: HostConnection,
  day: SeededDay,
): Promise<Omit<ScreenPlaces, 'tickets' | 'busy'> & { tickets: Omit<ScreenPlaces['tickets'], 'queued'> }> {
  const { ids, repo } = day
  const of = async (task: string | undefined, text: string) =>
    ticketRoute(LOCAL, await openTicket(connection, task ?? '', text))
  const dispatch = async (title: string, lines: string) =>
    (await dispatchDemo(connection, repo.path, lines, { title })).id
  const other = await dispatch(
    'Sort the imports',
    'demo: ask-permission npm run sort-imports\ndemo: no-trailer',
  )
  const answeredId = await answeredElsewhere(connection, other, 'sort-imports')
  const gone = await dispatch('Drop Node 20', 'demo: ask-permission npm run drop-node\ndemo: no-trailer')
  const expired = await openTicket(connection, gone, 'drop-node')
  await connection.call('task.cancel', { requestId: requestId(), task: gone })
  await repo.write('draft.md', 'not committed\n')
  const task = (name: string) => taskRoute(LOCAL, ids[name] ?? '')
  return {
    tickets: {
      dangerous: await of(ids['throttle'], 'rm -rf'),
      routine: await of(ids['throttle'], 'npm test'),
      product: await of(ids['product'], 'Lock the account'),
      technical: await of(ids['technical'], 'Which job queue'),
      review: await of(ids['review'], ''),
      long: await of(ids['long'], 'node --test'),
      answered: ticketRoute(LOCAL, { id: answeredId, taskId: other }),
      expired: ticketRoute(LOCAL, expired),
    },
    failed: `/inbox/${LOCAL}/${ids['crashed'] ?? ''}`,
    review: task('review'),
    running: task('running'),
    crashed: task('crashed'),
    repo: repo.path,
  }
}

/** Adds a host that is then away, with an answer that waits for it, and one that lets nobody in. Needs an English window. */
export async function addAwayHosts(page: Page, box: SecondHost, repo: string): Promise<string> {
  await addHost(page, { where: box.address, name: 'box', token: box.token })
  await isLive(page, 'box')
  // Past the proxy, which is cut below: it must go on refusing.
  const { listening } = await box.connection.call('host.info', {})
  const port = /127\.0\.0\.1:(\d+)/.exec(listening.join(' '))?.[1] ?? ''
  await addHost(page, { where: `ws://127.0.0.1:${port}`, name: 'gpu-1', token: 'not-the-token' })
  const text = 'Shall old exports be kept?'
  const { id: task } = await dispatchDemo(
    box.connection,
    repo,
    `demo: question ${text} [Keep them|Delete them] product\ndemo: no-trailer`,
    { title: 'Clean up exports' },
  )
  const asked = await openTicket(box.connection, task, text)
  await goTo(page, '/inbox')
  await page.getByRole('option').filter({ hasText: text }).waitFor({ timeout: PATIENCE_MS })
  box.proxy.cut()
  await page
    .getByLabel('Sections')
    .getByText(/retry \d+ s/)
    .first()
    .waitFor({ timeout: PATIENCE_MS })
  const card = await openRow(page, text)
  await card.getByRole('radio', { name: 'Keep them' }).check()
  await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
  return ticketRoute('box', asked)
}

import type { Page } from 'playwright-core'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { startHost } from './agentd.ts'
import { PATIENCE_MS, goTo } from './desk-page.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** Makes a token that may decide for the person, as one at the host's terminal would. */
export async function userToken(connection: HostConnection, name = 'a desk elsewhere'): Promise<string> {
  const what = { role: 'user' as const, name }
  const { nonce, sha256 } = await connection.call('token.present', what)
  return (await connection.call('token.create', { ...what, typed: { nonce, sha256 } })).token
}

/** A second agentd with a loopback port and a token, behind a way that can be cut. */
export async function startSecondHost() {
  const host = await startHost({ args: ['--listen', '127.0.0.1:0'] })
  const connection = await host.connect()
  const { listening } = await connection.call('host.info', {})
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(listening.join(' '))?.[1])
  const proxy = await startTcpProxy(port)
  return {
    host,
    connection,
    proxy,
    address: `ws://127.0.0.1:${proxy.port}`,
    token: await userToken(connection),
    async dispose(): Promise<void> {
      connection.close()
      await proxy.dispose()
      await host.dispose()
    },
  }
}

/** A second agentd as the specs use it. */
export type SecondHost = Awaited<ReturnType<typeof startSecondHost>>

/** Adds a host with the dialog of the window, as a person would, and stays on its page. */
export async function addHost(
  page: Page,
  { where, name, token, sshConfig }: { where: string; name: string; token?: string; sshConfig?: string },
): Promise<void> {
  await goTo(page, '/hosts')
  await page.getByRole('button', { name: 'Add a host…' }).click({ timeout: PATIENCE_MS })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Where is it?').fill(where)
  await dialog.getByLabel('What to call it').fill(name)
  if (token !== undefined) await dialog.getByLabel('Token').fill(token)
  if (sshConfig !== undefined) {
    await dialog.getByRole('checkbox').uncheck()
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('ssh config file').fill(sshConfig)
  }
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'hidden', timeout: PATIENCE_MS })
}

/** Waits until the page of a host says that everything it knows is here. */
export async function isLive(page: Page, name: string): Promise<void> {
  await goTo(page, `/hosts/${name}`)
  await page
    .getByRole('region', { name, exact: true })
    .getByText('Connected, and everything it knows is here.')
    .waitFor({ timeout: 60_000 })
}

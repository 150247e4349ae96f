import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { eventually, goTo, isGone, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { deskSuite } from '../support/desk-suite.ts'
import { freshMachine, type FreshMachine } from '../support/fresh-machine.ts'

const STEPS = [
  'Reach it over ssh',
  'Look at the machine',
  'Copy Handoff',
  'Start the service',
  'Get a token for this desk',
  'Find executors',
  'Round trip',
]
/** Copying takes its time. */
const COPY_MS = 120_000

declare global {
  interface Window {
    /** Every state of a step that was on the screen, as “step: state”, in order. */
    seenSteps?: string[]
  }
}

deskSuite('installing Handoff on a host', { needs: ['sshd'] }, (desk) => {
  let machine: FreshMachine
  beforeAll(async () => {
    machine = await freshMachine()
  })
  afterAll(() => machine?.dispose())

  const steps = (within: Page | Locator) => within.getByRole('list', { name: 'Steps' })
  const stepOf = (within: Page | Locator, name: string) =>
    steps(within).getByRole('listitem').filter({ hasText: name })
  const isIn = (within: Page | Locator, name: string, state: string, timeout = PATIENCE_MS) =>
    stepOf(within, name).getByRole('img', { name: state }).waitFor({ timeout })
  const keys = () => path.join(path.dirname(machine.sshd.configFile), 'authorized_keys')
  const pidThere = async () => {
    const { stdout } = await machine.run(['--json', 'agentd', 'status'])
    return jsonShapes['agentd status'].parse(JSON.parse(stdout)).info?.pid ?? 0
  }
  let pid = 0

  it('lets a mistyped address be changed, and keeps no host of it', async () => {
    await goTo(desk.page, '/hosts')
    await desk.page.getByRole('button', { name: 'Add a host…' }).click({ timeout: PATIENCE_MS })
    const dialog = desk.page.getByRole('dialog')
    const where = dialog.getByLabel('Where is it?')
    await where.fill('127.0.0.1:1')
    await dialog.getByLabel('What to call it').fill('typo')
    await where.press('Enter')
    await isIn(dialog, 'Reach it over ssh', 'failed')
    await dialog.getByRole('button', { name: 'Change the address' }).click()
    expect(await where.inputValue()).toBe('127.0.0.1:1')
    await where.fill('127.0.0.1:2')
    // Under the same name, which is free again.
    await where.press('Control+Enter')
    await reads(dialog, 'ssh://127.0.0.1:2')
    await isIn(dialog, 'Reach it over ssh', 'failed')
    await dialog.getByRole('button', { name: 'Open the host' }).click()
    await isGone(dialog)
    await reads(desk.page.getByRole('region', { name: 'typo', exact: true }), '127.0.0.1:2')
  })

  it('closes with Cancel and with Escape, and adds nothing', async () => {
    for (const close of ['Cancel', 'Escape']) {
      await goTo(desk.page, '/hosts')
      await desk.page.getByRole('button', { name: 'Add a host…' }).click({ timeout: PATIENCE_MS })
      const dialog = desk.page.getByRole('dialog')
      await dialog.getByLabel('Where is it?').fill('unwanted')
      if (close === 'Cancel') await dialog.getByRole('button', { name: close }).click()
      else await desk.page.keyboard.press(close)
      await isGone(dialog)
    }
    expect(await desk.page.getByText('unwanted').count()).toBe(0)
  })

  it('is asked for where a host is added, and stops at a step that fails with what to do', async () => {
    const allowed = await readFile(keys(), 'utf8')
    await writeFile(keys(), '')
    await goTo(desk.page, '/hosts')
    await desk.page.getByRole('button', { name: 'Add a host…' }).click({ timeout: PATIENCE_MS })
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByLabel('Where is it?').fill(machine.sshd.host)
    await dialog.getByLabel('What to call it').fill('box')
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true)
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('ssh config file').fill(machine.sshd.configFile)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await isIn(dialog, 'Reach it over ssh', 'failed')
    await reads(stepOf(dialog, 'Reach it over ssh'), /ssh /)
    for (const name of STEPS.slice(1)) await isIn(dialog, name, 'waiting')
    expect(existsSync(machine.handoff)).toBe(false)
    await writeFile(keys(), allowed)
  })

  it('goes on from there, shows each step under way and done, and ends with a host that is used', async () => {
    await desk.page.evaluate(watchSteps)
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Run again from here' }).click()
    await dialog.waitFor({ state: 'hidden', timeout: COPY_MS })
    const seen = (await desk.page.evaluate(() => window.seenSteps)) ?? []
    for (const name of STEPS) {
      expect(seen).toContain(`${name}: under way`)
      if (name !== 'Round trip') expect(seen).toContain(`${name}: done`)
    }
    const about = desk.page.getByRole('region', { name: 'box', exact: true })
    await reads(about, 'Connected, and everything it knows is here.')
    await reads(about, 'Everything you may: also answer what is meant for you.')
    expect(existsSync(path.join(machine.handoff, 'app/current'))).toBe(true)
    pid = await pidThere()
    expect(pid).toBeGreaterThan(0)
  })

  it('can be run again, and changes nothing the second time', async () => {
    await desk.page.getByRole('button', { name: 'Install or upgrade' }).click()
    await isIn(desk.page, 'Round trip', 'done', COPY_MS)
    for (const name of STEPS) await isIn(desk.page, name, 'done')
    await reads(stepOf(desk.page, 'Copy Handoff'), /already/)
    expect(await pidThere()).toBe(pid)
  })

  it('can be taken back: the service ends, and what people made stays', async () => {
    await desk.page.getByRole('button', { name: 'Undo…' }).click()
    const dialog = desk.page.getByRole('dialog', { name: 'Remove Handoff from box?' })
    await dialog.getByRole('button', { name: 'Remove it' }).click()
    await isGone(dialog)
    await isIn(desk.page, 'Remove', 'done', COPY_MS)
    await eventually('agentd there to be gone', () => !isRunning(pid))
    expect(existsSync(path.join(machine.handoff, 'app'))).toBe(false)
    expect(existsSync(path.join(machine.handoff, 'bin'))).toBe(false)
    expect(existsSync(path.join(machine.handoff, 'handoff.db'))).toBe(true)
    await reads(desk.page.getByRole('region', { name: 'box', exact: true }), /Not reachable since/)
  })
})

/** Runs in the page. */
function watchSteps(): void {
  const seen: string[] = []
  window.seenSteps = seen
  const look = (): void => {
    for (const item of document.querySelectorAll('ol[aria-label="Steps"] li')) {
      const name = item.querySelector('span')?.textContent ?? ''
      const text = `${name}: ${item.querySelector('svg')?.getAttribute('aria-label') ?? ''}`
      if (!seen.includes(text)) seen.push(text)
    }
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
  look()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // Nobody has that number any more.
    return false
  }
}

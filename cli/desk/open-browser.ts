import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../shared/node/private-file.ts'

/** As long as a ticket is good. */
const VALID_MS = 2 * 60_000

/** The program that shows a page to the person, or undefined where there is no display of theirs. */
export function browserProgram(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  // Over ssh the person looks at another machine.
  if (env['SSH_CONNECTION']) return undefined
  if (platform === 'darwin') return 'open'
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined
}

/**
 * Shows an address that holds a ticket. Arguments of programs can be read by every user of the machine, so the browser is
 * given a file (0600) that leads there. Answers whether the program could be started.
 */
export function openInBrowser(
  program: string,
  { url, home, env }: { url: string; home: string; env: Readonly<Record<string, string | undefined>> },
): Promise<boolean> {
  const folder = join(home, 'desk')
  removeOldPages(folder)
  const file = join(folder, `open-${randomBytes(6).toString('hex')}.html`)
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  writePrivateFile(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Handoff</title>` +
      `<meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Handoff</a>\n`,
  )
  return new Promise((resolve) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env: { ...env } })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

/** Removes pages whose tickets are over. */
function removeOldPages(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (/^open-[0-9a-f]{12}\.html$/.test(name) && Date.now() - statSync(file).mtimeMs > VALID_MS)
      rmSync(file, { force: true })
  }
}

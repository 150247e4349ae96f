import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import {
  askDesk,
  deskClaimSchema,
  deskClaimPath,
  readDeskClaim,
  type DeskAddress,
  type DeskClaim,
} from '../../shared/node/desk-control.ts'
import { readDispensable } from '../../shared/node/private-file.ts'
import { systemCodeOf } from '../../shared/node/system-code.ts'

const MAX_TRIES = 5

/**
 * Makes this process the browser shell of a home, or answers the address of the one that is. The claim is put into place
 * with link(2), which only one can win; a claim on whose socket nobody listens is over and is cleared away.
 */
export async function claimHome(
  homeRoot: string,
  claim: DeskClaim,
): Promise<{ kind: 'ours'; release(): void } | { kind: 'taken'; address: DeskAddress }> {
  const file = deskClaimPath(homeRoot)
  const own = `${file}.${randomBytes(6).toString('hex')}`
  fs.writeFileSync(own, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      if (linked(own, file)) return { kind: 'ours', release: () => release(homeRoot, claim) }
      const other = readDeskClaim(homeRoot)
      const address = other === undefined ? undefined : await askDesk(other, { ask: 'ticket' })
      if (address !== undefined) return { kind: 'taken', address }
      setAside(file, other)
    }
  } finally {
    fs.rmSync(own, { force: true })
  }
  throw new Error(`${file} could not be taken over`)
}

function linked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a claim that is over. Renamed first and looked at again: another starter may have put its own there meanwhile. */
function setAside(file: string, over: DeskClaim | undefined): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = readDispensable(aside, deskClaimSchema)
  // What cannot be read claims nothing; anything else must be the very claim that was found to be over.
  if (moved !== undefined && moved.socket !== over?.socket) linked(aside, file)
  else if (over !== undefined && path.basename(over.socket).startsWith('ui-'))
    fs.rmSync(over.socket, { force: true })
  fs.rmSync(aside, { force: true })
}

function release(homeRoot: string, claim: DeskClaim): void {
  if (readDeskClaim(homeRoot)?.socket === claim.socket) fs.rmSync(deskClaimPath(homeRoot), { force: true })
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { deskClaimPath, readDeskClaim, type DeskClaim } from '../../shared/node/desk-control.ts'
import { claimHome } from './claim.ts'
import { openControlSocket } from './control-socket.ts'

async function home(): Promise<string> {
  const root = await tempDirForTest()
  mkdirSync(path.join(root, 'desk'), { mode: 0o700 })
  return root
}

/** A process that would serve the home, with its control socket open. */
async function candidate(root: string, name: string, port: number): Promise<DeskClaim> {
  const socket = path.join(root, 'desk', `ui-${name}.sock`)
  const address = { v: 1, url: `http://127.0.0.1:${port}/#ticket=x`, port, pid: process.pid }
  const control = await openControlSocket(socket, () => address)
  onTestFinished(control.dispose)
  return { v: 1, pid: process.pid, port, socket }
}

describe('the claim on a home', () => {
  it('is won by one of many that start at once; the others learn where it serves', async () => {
    const root = await home()
    const claims = await Promise.all([1, 2, 3, 4, 5].map((n) => candidate(root, `a${n}`, 7000 + n)))
    const results = await Promise.all(claims.map((claim) => claimHome(root, claim)))
    const won = results.filter(({ kind }) => kind === 'ours')
    expect(won).toHaveLength(1)
    const port = readDeskClaim(root)?.port
    for (const result of results) if (result.kind === 'taken') expect(result.address.port).toBe(port)
  })

  it('of a process that was killed is taken over by one of many, and its socket removed', async () => {
    const root = await home()
    const old = path.join(root, 'desk', 'ui-00.sock')
    writeFileSync(old, '')
    writeFileSync(deskClaimPath(root), JSON.stringify({ v: 1, pid: 1, port: 7000, socket: old }))
    const claims = await Promise.all([1, 2, 3, 4, 5].map((n) => candidate(root, `b${n}`, 7000 + n)))
    const results = await Promise.all(claims.map((claim) => claimHome(root, claim)))
    expect(results.filter(({ kind }) => kind === 'ours')).toHaveLength(1)
    expect(existsSync(old)).toBe(false)
  })

  it('is given back, also when its file was damaged meanwhile', async () => {
    const root = await home()
    const first = await claimHome(root, await candidate(root, 'c1', 7001))
    if (first.kind === 'ours') first.release()
    expect(readDeskClaim(root)).toBeUndefined()
    writeFileSync(deskClaimPath(root), '{"v":')
    expect((await claimHome(root, await candidate(root, 'c2', 7002))).kind).toBe('ours')
  })
})

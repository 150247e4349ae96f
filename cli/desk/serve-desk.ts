import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { AppError, fromWireError } from '../../shared/errors.ts'
import { wireErrorSchema } from '../../shared/wire-error.ts'
import { deskAddressSchema, type DeskAddress } from '../../shared/node/desk-control.ts'
import type { Context } from '../context.ts'

const lineSchema = z.union([z.object({ error: wireErrorSchema }), deskAddressSchema])

/** A browser shell that was started; `ended` has its exit code. */
export interface ServedDesk {
  address: DeskAddress
  ended: Promise<number>
}

/** Starts the browser shell of this home as a child and resolves when it serves; throws what it ended with. */
export async function serveDesk(
  { agentdScript, home, env }: Pick<Context, 'agentdScript' | 'home' | 'env'>,
  { port, signal }: { port: number | undefined; signal: AbortSignal },
): Promise<ServedDesk> {
  const script = join(dirname(agentdScript), 'browser-host.js')
  const args = ['--home', home, ...(port === undefined ? [] : ['--port', String(port)])]
  const child = spawn(process.execPath, ['--no-warnings=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env },
  })
  const end = () => void child.kill('SIGTERM')
  // On a terminal Ctrl-C reaches the child by itself; a second signal does no harm.
  signal.addEventListener('abort', end, { once: true })
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  return { address: await firstLine(child, ended), ended }
}

async function firstLine(child: ChildProcess, ended: Promise<number>): Promise<DeskAddress> {
  if (child.stdout === null) throw new Error('the browser shell has no output')
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([
    new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
    }),
    // A program that cannot even be started.
    ended.then(() => undefined),
  ])
  const parsed = lineSchema.safeParse(line === undefined ? undefined : JSON.parse(line))
  if (!parsed.success)
    throw new AppError({
      code: 'internal',
      message: `The desk ended before it served (exit code ${await ended}).`,
      hint: 'What it said stands above; `npm run build` in the folder of Handoff makes its programs anew.',
    })
  if ('error' in parsed.data) throw fromWireError(parsed.data.error)
  return parsed.data
}

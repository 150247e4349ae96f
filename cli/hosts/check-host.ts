import { AppError } from '../../shared/errors.ts'
import type { Context } from '../context.ts'

/** Whether a host can be reached, in one sentence, and what to do when not. */
export interface HostCheck {
  name: string
  ok: boolean
  message: string
  fix?: string
  version?: string
  role?: string
  latencyMs?: number
}

const CHECK_TIMEOUT_MS = 15_000

/** Reaches a host, measures one round trip, and tells what stands in the way. Never throws an AppError. */
export async function checkHost({ fleet }: Pick<Context, 'fleet'>, name: string): Promise<HostCheck> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  try {
    const client = await fleet.open(name, { signal })
    const startedAt = performance.now()
    const info = await client.call('host.info', {}, { signal })
    const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10
    const { version, role } = client.welcome
    const executors = info.executors.filter((one) => one.available).map((one) => one.name)
    const message = `reached as ${role} in ${latencyMs} ms, agentd ${version}, executors: ${executors.join(', ') || 'none'}`
    return { name, ok: true, message, version, role, latencyMs }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      name,
      ok: false,
      message: `${error.message} [${error.code}]`,
      ...(error.hint === undefined ? {} : { fix: error.hint }),
    }
  }
}

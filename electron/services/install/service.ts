import { z } from 'zod'
import { parseJson } from '../../../shared/json.ts'
import { AppError } from '../../../shared/errors.ts'
import { saidLines } from './inspect.ts'
import { checked, SERVICE_TIMEOUT_MS, type InstallNeeds } from './needs.ts'
import type { RemoteResult, RemoteShell } from './remote-shell.ts'
import { cleanScript, runsBuildScript, serviceScript, statusScript } from './scripts.ts'
import { found, type Found } from './step-runner.ts'

const statusSchema = z.object({
  running: z.boolean(),
  info: z.object({ version: z.string().max(64), pid: z.number().int() }).optional(),
})

/**
 * Makes a build the one that agentd runs from, as a service where there is a manager; nothing when it does already. Executors
 * live on. Throws `database_newer` when a newer agentd runs there.
 */
export async function putIntoService({
  shell,
  needs,
  build,
}: {
  shell: RemoteShell
  needs: InstallNeeds
  build: string
}): Promise<Found> {
  const { host, hosts, installation } = needs
  hosts.reload()
  // Over our own connection agentd would be started again in the middle of being replaced.
  const release = hosts.hold(host)
  try {
    const { running, info } = readStatus(await shell.run(statusScript), host)
    if (running && info !== undefined) {
      refuseOlder(info.version, installation.version, host)
      const same = await shell.run(runsBuildScript, { args: [String(info.pid), build] })
      if (saidLines(same.stdout).some(([name]) => name === 'same'))
        return found('runs_already', { version: info.version, pid: info.pid })
    }
    const result = checked(await shell.run(serviceScript, { timeoutMs: SERVICE_TIMEOUT_MS }), host)
    const kind = saidLines(result.stdout).find(([name]) => name === 'kind')?.[1]
    await shell.run(cleanScript, { args: [build] })
    return found(kind === 'service' ? 'runs_as_service' : 'runs_in_background')
  } finally {
    release()
  }
}

/** The exit code of `agentd status` only tells whether it runs. */
function readStatus(result: RemoteResult, host: string): z.output<typeof statusSchema> {
  const { stdout } = result
  const parsed = statusSchema.safeParse(parseJson(stdout.slice(Math.max(0, stdout.indexOf('{')))))
  if (parsed.success) return parsed.data
  checked(result, host)
  return { running: false }
}

/** A newer agentd has a newer database, which an older one could not open. */
function refuseOlder(there: string, here: string, host: string): void {
  if (!isNewer(there, here)) return
  throw new AppError({
    code: 'database_newer',
    message: `agentd ${there} runs on ${host}, which is newer than this desk (${here}).`,
    hint: 'Update the desk; then there is nothing to install.',
  })
}

function isNewer(there: string, here: string): boolean {
  const numbers = (text: string) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number)
  const [a, b] = [numbers(there), numbers(here)]
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

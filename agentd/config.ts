import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AppError } from '../shared/errors.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** `<home>/config.json`: what a person may set for agentd. Everything has a default; an unknown name is refused. */
export const configSchema = z.strictObject({
  /** Silence of an executor after which its task is marked stalled. */
  watchdogMinutes: z
    .number()
    .min(0.05)
    .max(7 * 24 * 60)
    .default(120),
  /** Also listen here, for example "100.64.0.5:7420". */
  listen: z.string().max(300).optional(),
  /** Names by which clients may call this host, besides its addresses. */
  hostNames: z.array(z.string().max(255)).max(20).default([]),
  /** Environment files that executors need besides `env/all.env` and `env/<executor>.env`; without them nothing starts. */
  environmentFiles: z
    .record(
      z.string().max(64),
      z.array(z.string().max(4_096).regex(/^\//, 'must be an absolute path')).max(20),
    )
    .default({}),
  /** Events of ended tasks are kept so long … */
  keepEventsDays: z.number().min(1).max(3_650).default(90),
  /** … and so much of them in all. */
  keepEventsMegabytes: z.number().min(10).max(100_000).default(1_000),
})

/** The configuration of a host, with every default filled in. */
export interface AgentdConfig {
  watchdogMs: number
  listen: string | undefined
  hostNames: readonly string[]
  environmentFiles: Readonly<Record<string, readonly string[]>>
  keepEventsMs: number
  keepEventsBytes: number
}

/** Reads the configuration; a file that is not there means defaults, a bad one stops the start with a sentence. */
export function readConfig(configPath: string): AgentdConfig {
  const config = parseConfig(configPath)
  return {
    watchdogMs: config.watchdogMinutes * 60_000,
    listen: config.listen,
    hostNames: config.hostNames,
    environmentFiles: config.environmentFiles,
    keepEventsMs: config.keepEventsDays * DAY_MS,
    keepEventsBytes: config.keepEventsMegabytes * 1_000_000,
  }
}

function parseConfig(configPath: string): z.output<typeof configSchema> {
  let text: string
  try {
    text = readFileSync(configPath, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return configSchema.parse({})
    throw error
  }
  try {
    return configSchema.parse(JSON.parse(text))
  } catch (cause) {
    const what =
      cause instanceof z.ZodError
        ? cause.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`).join('; ')
        : 'it is not JSON'
    throw new AppError(
      {
        code: 'bad_request',
        message: `${configPath} cannot be used: ${what}.`,
        hint: 'Correct it, or remove it to use the defaults.',
      },
      { cause },
    )
  }
}

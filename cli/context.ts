import type { Command } from 'commander'
import { AppError } from '../shared/errors.ts'
import type { createDispatchedStore } from '../shared/node/hosts/dispatched.ts'
import type { Fleet } from './hosts/fleet.ts'
import type { HostStore } from '../shared/node/hosts/host-store.ts'
import type { KnownTasks } from './hosts/known-tasks.ts'
import type { Connector } from './hosts/connect.ts'
import type { Output } from './output/output.ts'
import type { JsonOut, JsonShapeName } from './json-shapes.ts'
import type { Seat } from './person/person.ts'

/** Everything a command works with; made once per run by main.ts. */
export interface Context {
  home: string
  /** agentd's socket on this machine. */
  socketPath: string
  /** dist/agentd.js. */
  agentdScript: string
  /** The host named by `--host`. */
  host: string | undefined
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  out: Output
  input: NodeJS.ReadStream
  /** A person can be asked here: stdin and stderr are terminals and `--json` was not given. */
  interactive: boolean
  seat: Seat
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Name of this user's place in the stream of events. */
  clientId: string
  hosts: HostStore
  known: KnownTasks
  dispatched: ReturnType<typeof createDispatchedStore>
  fleet: Fleet
  connector: Connector
  now(): number
}

/** A command's work. Returns the exit code when it is not 0. */
export type Work<Options, Args extends unknown[]> = (
  context: Context,
  options: Options,
  ...args: Args
) => Promise<number | void>

/** Joins commander to commands: makes the context for a run and keeps its exit code. */
export interface Runner {
  /** The action to give to commander. With a `clientId` the home’s own is neither read nor made. */
  run<Options, Args extends unknown[]>(
    work: Work<Options, Args>,
    settings?: { clientId?: string },
  ): (...all: unknown[]) => Promise<void>
}

/** Adds one command (or a group) to the program. */
export type AddCommand = (program: Command, runner: Runner) => void

/** Prints the one JSON object of a command; the type keeps it in step with the documented shape. */
export function printJson<N extends JsonShapeName>(
  { out }: Context,
  _name: N,
  value: JsonOut<N>,
): Promise<void> {
  return out.jsonLine(value)
}

/** Throws a usage error (exit code 2). */
export function usageError(message: string, hint?: string): AppError {
  return new AppError({ code: 'usage', message, ...(hint === undefined ? {} : { hint }) })
}

import { dialStdio } from '../dial-stdio.ts'
import type { AddCommand, Context } from '../context.ts'

/** `handoff dial-stdio`: a connection to this machine's agentd over stdin and stdout, for `ssh host handoff dial-stdio`. */
export const addDialStdio: AddCommand = (program, runner) => {
  program
    .command('dial-stdio')
    .description('connect stdin and stdout with agentd (used over ssh)')
    .addHelpText('after', '\nExample:\n  ssh devbox handoff dial-stdio')
    .action(runner.run(dial))
}

async function dial(context: Context): Promise<void> {
  const ends = { socketPath: context.socketPath, stdin: context.input, stdout: process.stdout }
  try {
    // Dialled before anything else is tried: agentd nearly always runs, and somebody waits at the other end.
    await dialStdio(ends)
  } catch (error) {
    if (!isAbsent(error)) throw error
    await context.connector.start()
    await dialStdio(ends)
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED'
}

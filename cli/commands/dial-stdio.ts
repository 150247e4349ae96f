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
  await context.connector.start()
  await dialStdio({ socketPath: context.socketPath, stdin: context.input, stdout: process.stdout })
}

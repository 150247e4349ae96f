import { homedir } from 'node:os'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { ASSISTANTS, installGuide, placeOf, removeGuide, type Assistant } from '../guide/install.ts'
import { GUIDE } from '../guide/text.ts'

interface Options {
  install?: string
  remove?: string
}

/** `handoff guide`: what an agent reviewer needs to know; can be written as that assistant's instructions. */
export const addGuide: AddCommand = (program, runner) => {
  program
    .command('guide')
    .description('what an agent that reviews tasks needs to know')
    .option('--install <assistant>', `write it as instructions for ${ASSISTANTS.join(', ')}`)
    .option('--remove <assistant>', 'take those instructions away again')
    .addHelpText('after', '\nExamples:\n  handoff guide\n  handoff guide --install claude')
    .action(runner.run(guide))
}

async function guide(context: Context, options: Options): Promise<void> {
  if (options.install !== undefined && options.remove !== undefined)
    throw usageError('--install and --remove do not go together.')
  const name = options.install ?? options.remove
  if (name === undefined) {
    if (context.out.json) return printJson(context, 'guide', { v: 1, text: GUIDE, outcome: 'shown' })
    return context.out.write(GUIDE)
  }
  const assistant = ASSISTANTS.find((one): one is Assistant => one === name)
  if (assistant === undefined)
    throw usageError(`${name} is not an assistant that is known.`, `Known: ${ASSISTANTS.join(', ')}.`)
  const place = placeOf(assistant, context.env['HOME'] ?? homedir(), context.env)
  const outcome = options.install === undefined ? removeGuide(place) : installGuide(place)
  if (context.out.json) return printJson(context, 'guide', { v: 1, assistant, path: place.path, outcome })
  const words = {
    installed: 'written to',
    updated: 'renewed in',
    unchanged: 'already in',
    removed: 'removed from',
    not_installed: 'not in',
  }[outcome]
  await context.out.line(
    `${context.out.style.green('✓')} The guide for ${assistant} is ${words} ${place.path}`,
  )
}

import { checkbox, confirm, input as askInput, password, select } from '@inquirer/prompts'
import { AppError } from '../../shared/errors.ts'
import type { Context } from '../context.ts'

type Asker = Pick<Context, 'signal' | 'input'>

function terminal({ signal, input }: Asker) {
  // stderr: stdout may carry a result that another program reads.
  return { signal, input, output: process.stderr }
}

async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw new AppError({ code: 'cancelled', message: 'Nothing was changed.' }, { cause: error })
    throw error
  }
}

/** Lets a person choose one of a list; Ctrl-C throws `cancelled`. */
export function chooseOne<T>(
  asker: Asker,
  message: string,
  choices: { name: string; value: T; description?: string }[],
): Promise<T> {
  return asked(select({ message, choices, pageSize: 15, loop: false }, terminal(asker)))
}

/** Lets a person choose any number of a list; Ctrl-C throws `cancelled`. */
export function chooseSeveral<T>(
  asker: Asker,
  message: string,
  choices: { name: string; value: T }[],
): Promise<T[]> {
  return asked(checkbox({ message, choices, pageSize: 15, loop: false }, terminal(asker)))
}

/** Asks yes or no; the default is no. */
export function askYes(
  asker: Asker,
  message: string,
  { usually = false }: { usually?: boolean } = {},
): Promise<boolean> {
  return asked(confirm({ message, default: usually }, terminal(asker)))
}

/** Asks for a line of text that is not empty. */
export function askText(asker: Asker, message: string): Promise<string> {
  return asked(
    askInput(
      { message, validate: (text) => (text.trim() === '' ? 'Please write something.' : true) },
      terminal(asker),
    ),
  )
}

/** Asks for a text that is not shown. */
export function askSecret(asker: Asker, message: string): Promise<string> {
  return asked(password({ message, mask: true }, terminal(asker)))
}

import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'

/** The home folder of the person; falls back to the root, so that a path always comes out absolute. */
export function personHome(environment: NodeJS.ProcessEnv): string {
  return environment['HOME'] ?? environment['USERPROFILE'] ?? path.parse(process.cwd()).root
}

/** An absolute, normal path of what a person wrote; `~` is their home folder. Throws `bad_request` for anything relative. */
export function localPath(text: string, environment: NodeJS.ProcessEnv): string {
  const expanded =
    text === '~' || text.startsWith('~/') ? path.join(personHome(environment), text.slice(1)) : text
  if (path.isAbsolute(expanded) && !expanded.includes('\0')) return path.normalize(expanded)
  throw new AppError({
    code: 'bad_request',
    message: `${JSON.stringify(text.slice(0, 200))} is not a whole path.`,
    hint: 'Write it from the root, or beginning with ~/.',
  })
}

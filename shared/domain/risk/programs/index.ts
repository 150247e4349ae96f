import { type ProgramSpec } from '../spec.ts'
import { CLOUD } from './cloud.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { INTERPRETERS } from './interpreters.ts'
import { NETWORK } from './network.ts'
import { PACKAGES } from './packages.ts'
import { SYSTEM } from './system.ts'
import { TOOLS } from './tools.ts'
import { WRAPPERS } from './wrappers.ts'

/** Every program the reader knows, by its name in lower case. A program that is not here is routine unless it names a secret. */
export const PROGRAMS: Record<string, ProgramSpec> = {
  ...FILES,
  ...SYSTEM,
  ...NETWORK,
  ...PACKAGES,
  ...CLOUD,
  ...INTERPRETERS,
  ...TOOLS,
  ...WRAPPERS,
  git: GIT,
}

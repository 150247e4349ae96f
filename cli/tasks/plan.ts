import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { usageError } from '../context.ts'

/** Largest plan that agentd takes. */
const MAX_PLAN_BYTES = 512 * 1024

/** All of an input stream as text; throws usage beyond `maxBytes`. */
export async function readAll(input: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw usageError(`The input is larger than ${Math.floor(maxBytes / 1024)} KiB.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The plan of a dispatch: `--prompt`, a file, or `-` for the input. Throws usage or file_not_found. */
export async function readPlan({
  file,
  prompt,
  cwd,
  input,
}: {
  file: string | undefined
  prompt: string | undefined
  cwd: string
  input: AsyncIterable<Uint8Array | string>
}): Promise<string> {
  if (file !== undefined && prompt !== undefined)
    throw usageError('Give the plan as a file or with --prompt, not both.')
  if (prompt !== undefined) return checked(prompt)
  if (file === undefined)
    throw usageError(
      'There is no plan.',
      'Name a file (`handoff dispatch PLAN.md`), `-` for the input, or --prompt TEXT.',
    )
  return checked(
    file === '-'
      ? await readAll(input, MAX_PLAN_BYTES)
      : await readTextFile(resolve(cwd, file), MAX_PLAN_BYTES),
  )
}

/** A text file of bounded size; throws file_not_found, not_a_file or usage. */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new AppError(
      { code: 'file_not_found', message: `There is no file ${path}.`, hint: 'Check the path.' },
      { cause },
    )
  })
  if (!info.isFile())
    throw new AppError({ code: 'not_a_file', message: `${path} is not a file.`, hint: 'Name a text file.' })
  if (info.size > maxBytes) throw usageError(`${path} is larger than ${Math.floor(maxBytes / 1024)} KiB.`)
  return readFile(path, 'utf8')
}

function checked(plan: string): string {
  if (plan.trim() === '') throw usageError('The plan is empty.', 'Say what shall be done.')
  if (Buffer.byteLength(plan) > MAX_PLAN_BYTES) throw usageError('The plan is larger than 512 KiB.')
  return plan
}

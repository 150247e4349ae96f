import { createInterface } from 'node:readline'
import { AppError } from '../../shared/errors.ts'
import type { Output } from '../output/output.ts'

/**
 * Asks for a word, letter by letter the same, on the terminal. Anything else throws `cancelled`: a slip must not decide.
 * What was typed before the question was shown does not count.
 */
export async function typeWord({
  input,
  out,
  word,
  signal,
}: {
  input: NodeJS.ReadStream
  out: Output
  word: string
  signal: AbortSignal
}): Promise<void> {
  const typed = await askLine({
    input,
    prompt: `Type ${out.style.bold(word)} to go on, anything else to leave it: `,
    signal,
  })
  if (typed.trim() === word) return
  throw new AppError({
    code: 'cancelled',
    message: 'Nothing was decided.',
    hint: 'Run the command again when you are ready.',
    details: { left: true },
  })
}

/** Whether a person answered `typeWord` with something else, and so left the question open. */
export function leftOpen(error: unknown): boolean {
  return error instanceof AppError && error.details?.['left'] === true
}

async function askLine({
  input,
  prompt,
  signal,
}: {
  input: NodeJS.ReadStream
  prompt: string
  signal: AbortSignal
}): Promise<string> {
  // Drops what lies in the buffer: keys pressed while the text was still being written.
  while (input.read() !== null) continue
  const lines = createInterface({ input, output: process.stdout, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      const cancelled = () => reject(new AppError({ code: 'cancelled', message: 'Nothing was decided.' }))
      lines.on('SIGINT', cancelled)
      lines.on('close', cancelled)
      signal.addEventListener('abort', cancelled, { once: true })
      lines.question(prompt, resolve)
    })
  } finally {
    lines.close()
  }
}

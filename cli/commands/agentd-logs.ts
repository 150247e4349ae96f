import { createReadStream, existsSync, statSync, watch } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { usageError, type AddCommand, type Context } from '../context.ts'
import { logLine } from '../output/log-line.ts'

const TAIL_BYTES = 512 * 1024

/** `handoff agentd logs`: agentd's log, readable. */
export const addLogs: AddCommand = (agentd, runner) => {
  agentd
    .command('logs')
    .description('its log')
    .option('-f, --follow', 'go on as it grows')
    .option('-n, --lines <count>', 'how many lines', '50')
    .addHelpText('after', '\nExample:\n  handoff agentd logs -f')
    .action(runner.run(logs))
}

async function logs(context: Context, options: { follow?: true; lines: string }): Promise<void> {
  const count = Number(options.lines)
  if (!Number.isInteger(count) || count < 0) throw usageError('--lines wants a number.')
  const path = join(context.home, 'logs', 'agentd.log')
  if (!existsSync(path))
    throw new AppError({
      code: 'file_not_found',
      message: `There is no log yet: ${path}.`,
      hint: 'Start agentd first: handoff agentd start',
    })
  const sizeBytes = statSync(path).size
  const lines = (await tail(path, sizeBytes)).split('\n').filter((line) => line !== '')
  for (const line of count === 0 ? [] : lines.slice(-count)) await print(context, line)
  if (options.follow === true) await followFile(context, path, sizeBytes)
}

/** With `--json` the log as it is: it consists of JSON lines. */
function print({ out, now }: Context, line: string): Promise<void> {
  return out.line(out.json ? line : logLine(line, out.style, now()))
}

async function tail(path: string, sizeBytes: number): Promise<string> {
  const start = Math.max(0, sizeBytes - TAIL_BYTES)
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(sizeBytes - start)
    await file.read(buffer, 0, buffer.length, start)
    const text = buffer.toString('utf8')
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}

async function followFile(context: Context, path: string, fromBytes: number): Promise<void> {
  let position = fromBytes
  let rest = ''
  let work = Promise.resolve()
  const readOn = async () => {
    const sizeBytes = statSync(path).size
    // A new, shorter file took its place (rotation).
    if (sizeBytes < position) position = 0
    if (sizeBytes === position) return
    for await (const chunk of createReadStream(path, {
      start: position,
      end: sizeBytes - 1,
      encoding: 'utf8',
    })) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') await print(context, line)
    }
    position = sizeBytes
  }
  await new Promise<void>((resolve, reject) => {
    const watcher = watch(path, () => {
      work = work.then(readOn).catch(reject)
    })
    const end = () => {
      watcher.close()
      resolve()
    }
    context.signal.addEventListener('abort', end, { once: true })
    work = work.then(readOn).catch(reject)
  })
}

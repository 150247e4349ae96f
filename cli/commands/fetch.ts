import { randomBytes } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { downloadFile } from '../../shared/node/host-client/download.ts'
import type { OnChunk } from '../../shared/node/host-client/pending-calls.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { size } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'

const MAX_JSON_BYTES = 16 * 1024 * 1024

/** `handoff fetch`: one file out of a task's worktree. */
export const addFetch: AddCommand = (program, runner) => {
  program
    .command('fetch')
    .description('get one file out of a task’s worktree')
    .argument('<task>')
    .argument('<path>', 'inside the worktree')
    .option('-o, --output <file>', 'where to save it (default: print it)')
    .addHelpText('after', '\nExample:\n  handoff fetch 3fa2 dist/report.html -o report.html')
    .action(runner.run(fetchFile))
}

async function fetchFile(
  context: Context,
  { output }: { output?: string },
  ref: string,
  path: string,
): Promise<void> {
  const { host, client, task } = await context.fleet.findTask(ref)
  const { out, signal } = context
  const input = { task: task.id, path }
  if (output !== undefined) {
    const savedTo = await targetOf(resolve(context.cwd, output), path)
    const progress = out.progress(`Getting ${visibleLine(path)}`)
    const sizeBytes = await save(
      savedTo,
      async (onChunk) => (await client.call('task.fetch', input, { signal, onChunk })).sizeBytes,
    ).finally(() => progress.stop())
    if (out.json) return printJson(context, 'fetch', { v: 1, host, path, sizeBytes, savedTo })
    return out.line(`${out.style.green('✓')} ${visibleLine(savedTo)} (${size(sizeBytes)})`)
  }
  if (!out.json) {
    await client.call('task.fetch', input, { signal, onChunk: (data) => out.write(data) })
    return
  }
  const chunks: Uint8Array[] = []
  let received = 0
  const onChunk = (data: Uint8Array) => {
    received += data.length
    if (received > MAX_JSON_BYTES)
      throw usageError('The file is too large for --json.', 'Save it with -o FILE.')
    chunks.push(data)
  }
  const { sizeBytes } = await client.call('task.fetch', input, { signal, onChunk })
  await printJson(context, 'fetch', {
    v: 1,
    host,
    path,
    sizeBytes,
    base64: Buffer.concat(chunks).toString('base64'),
  })
}

async function targetOf(output: string, path: string): Promise<string> {
  const info = await stat(output).catch(() => undefined)
  return info?.isDirectory() === true ? join(output, basename(path)) : output
}

/** Writes beside the target and moves it into place, so that a broken transfer leaves no half file. */
async function save(target: string, receive: (onChunk: OnChunk) => Promise<number>): Promise<number> {
  const part = `${target}.${randomBytes(4).toString('hex')}.part`
  const sizeBytes = await downloadFile(part, receive)
  await rename(part, target)
  return sizeBytes
}

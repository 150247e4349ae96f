import { createCodec } from './codec.ts'

type Handler = (event: object, ...args: unknown[]) => unknown
const handlers = new Map<string, Handler>()

export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  },
  removeHandler: (channel: string) => void handlers.delete(channel),
}

const codec = createCodec()

/** Calls the handler of a channel as Electron does, and answers in coded form: the value, or the words of the error. */
export async function serveInvoke(
  channel: string,
  event: object,
  args: unknown[],
): Promise<{ v?: unknown; e?: string }> {
  const handler = handlers.get(channel)
  const failure = (why: unknown): { e: string } => ({
    e: `Error invoking remote method '${channel}': ${String(why)}`,
  })
  if (handler === undefined) return failure(`Error: No handler registered for '${channel}'`)
  try {
    return { v: codec.encode(await handler(event, ...args.map(codec.decode))) }
  } catch (error) {
    return failure(error)
  }
}

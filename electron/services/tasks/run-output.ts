type Channel = 'stdout' | 'stderr'

/** Output on its way to a window: in order, whole characters, in batches. */
export interface RunOutput {
  /** Resolves when more may come; a command that floods is slowed down to what is shown. */
  add(bytes: Uint8Array, channel: Channel): Promise<void>
  /** Sends what is left. */
  end(): void
}

const BATCH_MS = 50
const MAX_WAITING_CHARS = 256 * 1024

/** Gathers what a command prints and sends it every 50 ms; never more than 256 Ki characters wait. */
export function createRunOutput(send: (channel: Channel, chunk: string) => void): RunOutput {
  const decoders = { stdout: new TextDecoder('utf-8'), stderr: new TextDecoder('utf-8') }
  let waiting: { channel: Channel; text: string }[] = []
  let waitingChars = 0
  let timer: NodeJS.Timeout | undefined
  let drained: Promise<void> | undefined
  let onDrained: () => void = () => undefined

  function put(channel: Channel, text: string): void {
    if (text === '') return
    const last = waiting.at(-1)
    if (last?.channel === channel) last.text += text
    else waiting.push({ channel, text })
    waitingChars += text.length
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    waitingChars = 0
    for (const { channel, text } of batch) send(channel, text)
    drained = undefined
    onDrained()
  }

  return {
    add(bytes, channel) {
      put(channel, decoders[channel].decode(bytes, { stream: true }))
      timer ??= setTimeout(flush, BATCH_MS)
      if (waitingChars < MAX_WAITING_CHARS) return Promise.resolve()
      return (drained ??= new Promise((resolve) => (onDrained = resolve)))
    },
    end() {
      for (const channel of ['stdout', 'stderr'] as const) put(channel, decoders[channel].decode())
      flush()
    },
  }
}

import { createCodec } from './codec.ts'

/** The name of the JavaScript world that the preload script runs in. */
export const PRELOAD_WORLD = 'Electron Isolated Context'
/** The function that only that world has, for talking to the main process. */
export const BINDING = '__standinSend'
/** The function that only that world has, which the main process calls. */
export const DELIVER = '__standinDeliver'

type Call = (...args: unknown[]) => unknown
type Message = { t: string; id?: number; fn?: number; args?: unknown[]; v?: unknown; e?: string }

/* The functions below run in pages, as source text. Between worlds only text travels, in events of the document; dispatching
   is synchronous, and so are calls over the bridge, as they are over Electron's. */

function bridgeSide(codecOf: typeof createCodec, inbound: string, outbound: string) {
  const own = new Map<number, Call>()
  const ids = new Map<Call, number>()
  const answers = new Map<number, Message>()
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  const onMessage: Record<string, (message: Message) => void> = {}
  let last = 0
  const { encode, decode } = codecOf({
    out(fn) {
      const id = ids.get(fn) ?? (last += 1)
      ids.set(fn, id)
      own.set(id, fn)
      return id
    },
    back:
      (id) =>
      (...args) =>
        callOther(id, args),
  })
  const send = (message: Message): boolean =>
    document.dispatchEvent(new CustomEvent(outbound, { detail: JSON.stringify(message) }))
  const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

  function callOther(fn: number, args: unknown[]): unknown {
    const id = (last += 1)
    send({ t: 'call', id, fn, args: args.map(encode) })
    const answer = answers.get(id)
    answers.delete(id)
    if (answer === undefined) throw new Error('The other world is gone.')
    if (answer.t === 'threw') throw new Error(answer.e)
    if (answer.t === 'value') return decode(answer.v)
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  }

  function serve(message: Message): Message {
    try {
      const value = own.get(message.fn ?? 0)?.(...(message.args ?? []).map(decode))
      if (!(value instanceof Promise)) return { t: 'value', v: encode(value) }
      value.then(
        (settled) => send({ t: 'settled', id: message.id ?? 0, v: encode(settled) }),
        (error: unknown) => send({ t: 'failed', id: message.id ?? 0, e: wordsOf(error) }),
      )
      return { t: 'promise' }
    } catch (error) {
      return { t: 'threw', e: wordsOf(error) }
    }
  }

  document.addEventListener(inbound, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail) as Message
    const { t, id = 0 } = message
    if (t === 'call') send({ ...serve(message), id })
    else if (t === 'settled') pending.get(id)?.resolve(decode(message.v))
    else if (t === 'failed') pending.get(id)?.reject(new Error(message.e))
    else if (onMessage[t] === undefined) answers.set(id, message)
    else onMessage[t](message)
    if (t === 'settled' || t === 'failed') pending.delete(id)
  })
  return { encode, decode, send, onMessage }
}

function isolatedWorld(side: ReturnType<typeof bridgeSide>, codecOf: typeof createCodec) {
  const { encode, decode } = codecOf()
  const world = globalThis as unknown as {
    __standinSend(text: string): void
    __standinDeliver(text: string): void
  }
  const listeners = new Map<string, Call[]>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  const exposed: [string, unknown][] = []
  let last = 0
  world.__standinDeliver = (text) => {
    const message = JSON.parse(text) as {
      id?: number
      channel: string
      args: unknown[]
      v?: unknown
      e?: string
    }
    if (message.id === undefined) {
      const args = message.args.map(decode)
      for (const listener of [...(listeners.get(message.channel) ?? [])])
        listener({ sender: ipcRenderer }, ...args)
      return
    }
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.e === undefined) call?.resolve(decode(message.v))
    else call?.reject(new Error(message.e))
  }
  const ipcRenderer = {
    invoke(channel: string, ...args: unknown[]) {
      const coded = args.map(encode)
      return new Promise((resolve, reject) => {
        waiting.set((last += 1), { resolve, reject })
        world.__standinSend(JSON.stringify({ id: last, channel, args: coded }))
      })
    },
    send: (channel: string, ...args: unknown[]) =>
      world.__standinSend(JSON.stringify({ channel, args: args.map(encode) })),
    on(channel: string, listener: Call) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    off(channel: string, listener: Call) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((other) => other !== listener),
      )
      return ipcRenderer
    },
  }
  const contextBridge = {
    exposeInMainWorld(key: string, api: unknown) {
      exposed.push([key, side.encode(api)])
      side.send({ t: 'exposed', v: [[key, side.encode(api)]] })
    },
  }
  side.onMessage['describe'] = () => void side.send({ t: 'exposed', v: exposed })
  return (name: string) => {
    if (name === 'electron') return { ipcRenderer, contextBridge }
    throw new Error(`module not found: ${name}`)
  }
}

function mainWorld(side: ReturnType<typeof bridgeSide>): void {
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  side.onMessage['exposed'] = ({ v }) => {
    for (const [key, api] of v as [string, unknown][])
      if (!(key in window))
        Object.defineProperty(window, key, { value: freeze(side.decode(api)), enumerable: true })
  }
  side.send({ t: 'describe' })
}

const TO_MAIN = '__standin:main'
const TO_ISOLATED = '__standin:isolated'

/** The text that runs in the preload world before a page: Electron's two modules of a sandboxed preload, then the preload. */
export function isolatedSource(preload: string): string {
  return `if (window === window.top) {
    const codecOf = ${createCodec.toString()};
    const side = (${bridgeSide.toString()})(codecOf, ${JSON.stringify(TO_ISOLATED)}, ${JSON.stringify(TO_MAIN)});
    const require = (${isolatedWorld.toString()})(side, codecOf);
    (function (require, module, exports) { ${preload}
    })(require, { exports: {} }, {});
  }`
}

/** The text that runs in the page's own world before its scripts: what the preload exposed appears. */
export function mainSource(): string {
  return `if (window === window.top) {
    const codecOf = ${createCodec.toString()};
    const side = (${bridgeSide.toString()})(codecOf, ${JSON.stringify(TO_MAIN)}, ${JSON.stringify(TO_ISOLATED)});
    (${mainWorld.toString()})(side);
  }`
}

import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, type ClientOptions } from 'ws'
import { AppError } from '../../errors.ts'
import { formatHostAddress, type HostAddress } from './address.ts'
import { openSshBridge, type SshBridge, type SshOptions } from './ssh-bridge.ts'

/** Where to, and with what. */
export interface TransportOptions {
  address: HostAddress
  /** The socket that the address `local` stands for. */
  localSocketPath?: string | undefined
  token?: string | undefined
  ssh?: SshOptions | undefined
  connectTimeoutMs: number
  signal?: AbortSignal | undefined
}

/** An open WebSocket to a host. */
export interface Transport {
  ws: WebSocket
  /** What ended the connection, when the transport knows more than the WebSocket (ssh's own words). */
  whyEnded(): Promise<AppError | undefined>
}

/** Largest message of a host; a task with its plan and history fits many times. */
const MAX_SERVER_MESSAGE_BYTES = 64 * 1024 * 1024
const SSH_END_MS = 1_000
/** What a header can carry. A text that was pasted may hold a line break, or a character that cannot be seen. */
const TOKEN = /^[\x21-\x7e]{1,500}$/

/** Opens a WebSocket over a Unix socket, TCP or ssh. Throws AppErrors: `host_unreachable`, `unauthorized`, `rate_limited`, … */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  if (options.token !== undefined && !TOKEN.test(options.token)) throw noToken(options.address)
  const bridge =
    options.address.kind === 'ssh' ? openSshBridge(options.address, options.ssh ?? {}) : undefined
  const ws = openWebSocket(options, bridge)
  try {
    await opened(ws, options, bridge)
  } catch (error) {
    ws.on('error', () => undefined)
    ws.terminate()
    bridge?.kill()
    throw error
  }
  ws.once('close', () => bridge?.kill())
  return {
    ws,
    async whyEnded() {
      return bridge === undefined ? undefined : within(bridge.failure, SSH_END_MS)
    },
  }
}

function openWebSocket(
  { address, localSocketPath, token, connectTimeoutMs }: TransportOptions,
  bridge?: SshBridge,
) {
  const options: ClientOptions = {
    perMessageDeflate: false,
    maxPayload: MAX_SERVER_MESSAGE_BYTES,
    handshakeTimeout: connectTimeoutMs,
    // One message a turn of the event loop: a thousand that arrive together do not hold up everything else.
    allowSynchronousEvents: false,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  }
  if (address.kind === 'ws') return new WebSocket(formatHostAddress(address), options)
  // ws declares net.Socket; it is content with any Duplex.
  const connect = (): Duplex => bridge?.stream ?? net.connect(socketPathOf(address, localSocketPath))
  return new WebSocket('ws://localhost/', {
    ...options,
    createConnection: connect as unknown as NonNullable<ClientOptions['createConnection']>,
  })
}

function socketPathOf(address: HostAddress, localSocketPath: string | undefined): string {
  if (address.kind === 'unix') return address.path
  if (localSocketPath === undefined) throw new Error('the address `local` needs localSocketPath')
  return localSocketPath
}

function opened(ws: WebSocket, options: TransportOptions, bridge: SshBridge | undefined): Promise<void> {
  const { address, signal } = options
  return new Promise((resolve, reject) => {
    const abort = () => settle(new AppError({ code: 'cancelled', message: 'Connecting was cancelled.' }))
    const settle = (error?: AppError) => {
      signal?.removeEventListener('abort', abort)
      if (error === undefined) resolve()
      else reject(error)
    }
    ws.once('open', () => settle())
    ws.once('unexpected-response', (_request, response) => settle(refusal(address, response)))
    ws.once('error', (error) => {
      if (bridge === undefined) return settle(unreachable(address, error))
      void within(bridge.failure, SSH_END_MS).then((failure) =>
        settle(failure ?? unreachable(address, error)),
      )
    })
    signal?.addEventListener('abort', abort)
    if (signal?.aborted === true) abort()
  })
}

function refusal(address: HostAddress, response: IncomingMessage): AppError {
  const where = formatHostAddress(address)
  const status = response.statusCode ?? 0
  response.resume()
  if (status === 401)
    return new AppError({
      code: 'unauthorized',
      message: `${where} does not accept the token.`,
      hint: 'Make a new one there with `handoff agentd token create`.',
    })
  if (status === 429)
    return new AppError({
      code: 'rate_limited',
      message: `${where} saw too many wrong tokens from here.`,
      hint: 'Wait a minute, then use the right token.',
      details: { retryAfterSeconds: Number(response.headers['retry-after'] ?? 60) },
    })
  return new AppError({
    code: 'host_unreachable',
    message: `${where} answered with HTTP ${status} and not as a Handoff host.`,
    hint:
      status === 421
        ? 'Use the IP address, or start agentd there with this name allowed.'
        : 'Check the address and port.',
    details: { status },
  })
}

function noToken(address: HostAddress): AppError {
  return new AppError({
    code: 'unauthorized',
    message: `What is kept as the token of ${formatHostAddress(address)} is none: it has blanks, line breaks or other characters that no token has.`,
    hint: 'Give the token again, exactly as `handoff agentd token create` printed it.',
  })
}

function unreachable(address: HostAddress, cause: Error & { code?: string }): AppError {
  const hint =
    address.kind === 'local' || address.kind === 'unix'
      ? 'Start it with `handoff agentd start`.'
      : 'Check that the machine is on, that agentd runs there and that the address is right.'
  const why = cause.code ?? cause.message
  return new AppError(
    {
      code: 'host_unreachable',
      message: `${formatHostAddress(address)} cannot be reached (${why.slice(0, 200)}).`,
      hint,
      details: { reason: why.slice(0, 200) },
    },
    { cause },
  )
}

/** What the promise resolves to, or undefined when that takes too long. */
async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

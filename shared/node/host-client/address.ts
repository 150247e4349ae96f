import net from 'node:net'
import { AppError } from '../../errors.ts'

/** How a host is reached. */
export type HostAddress =
  /** agentd of this machine, by the socket in the home folder. */
  | { kind: 'local' }
  | { kind: 'unix'; path: string }
  | { kind: 'ws'; host: string; port: number; secure: boolean }
  /** `ssh host handoff dial-stdio`; the host may be an alias of ~/.ssh/config. */
  | { kind: 'ssh'; user?: string; host: string; port?: number }

const MAX_ADDRESS = 4_096
// A name that began with "-" would be read by ssh as an option (ProxyCommand runs a program).
const NAME = '[A-Za-z0-9_][A-Za-z0-9._-]{0,252}'
const PORT = '(?::(\\d{1,5}))?'
const wsPattern = new RegExp(`^(wss?)://(?:\\[([0-9A-Fa-f:.]{2,45})\\]|(${NAME}))${PORT}/?$`)
const sshPattern = new RegExp(
  `^ssh://(?:([A-Za-z0-9_][A-Za-z0-9._+-]{0,63})@)?(?:\\[([0-9A-Fa-f:.]{2,45})\\]|(${NAME}))${PORT}/?$`,
)

/** Port of agentd on TCP when the address names none. */
export const DEFAULT_PORT = 7433

/** Reads `local`, `unix:///path`, `ws://host:port`, `wss://host:port` or `ssh://[user@]host[:port]`; else throws `usage`. */
export function parseHostAddress(text: string): HostAddress {
  const address = text.length > MAX_ADDRESS ? undefined : read(text)
  if (address !== undefined) return address
  throw new AppError({
    code: 'usage',
    message: `“${text.slice(0, 200)}” is not the address of a host.`,
    hint: 'Write ssh://[user@]host[:port], ws://host:port, wss://host:port, unix:///path or local.',
  })
}

/** The text form that `parseHostAddress` reads. */
export function formatHostAddress(address: HostAddress): string {
  switch (address.kind) {
    case 'local':
      return 'local'
    case 'unix':
      return `unix://${address.path}`
    case 'ws':
      return `${address.secure ? 'wss' : 'ws'}://${bracket(address.host)}:${address.port}`
    case 'ssh': {
      const user = address.user === undefined ? '' : `${address.user}@`
      return `ssh://${user}${bracket(address.host)}${address.port === undefined ? '' : `:${address.port}`}`
    }
  }
}

function read(text: string): HostAddress | undefined {
  if (text === 'local') return { kind: 'local' }
  if (text.startsWith('unix:///') && !text.includes('\0'))
    return { kind: 'unix', path: text.slice('unix://'.length) }
  return readWs(text) ?? readSsh(text)
}

function readWs(text: string): HostAddress | undefined {
  const match = wsPattern.exec(text)
  if (match === null) return undefined
  const [, scheme, v6, name, portText] = match
  const host = hostOf(v6, name)
  const port = portText === undefined ? DEFAULT_PORT : portOf(portText)
  if (host === undefined || port === undefined) return undefined
  return { kind: 'ws', host, port, secure: scheme === 'wss' }
}

function readSsh(text: string): HostAddress | undefined {
  const match = sshPattern.exec(text)
  if (match === null) return undefined
  const [, user, v6, name, portText] = match
  const host = hostOf(v6, name)
  const port = portText === undefined ? undefined : portOf(portText)
  if (host === undefined || (portText !== undefined && port === undefined)) return undefined
  return {
    kind: 'ssh',
    host,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port }),
  }
}

function hostOf(v6: string | undefined, name: string | undefined): string | undefined {
  return v6 === undefined ? name : net.isIPv6(v6) ? v6 : undefined
}

function portOf(text: string): number | undefined {
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? port : undefined
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

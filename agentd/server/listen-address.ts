import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { AppError } from '../../shared/errors.ts'

const trusted = new net.BlockList()
trusted.addSubnet('127.0.0.0', 8, 'ipv4')
trusted.addAddress('::1', 'ipv6')
trusted.addSubnet('10.0.0.0', 8, 'ipv4')
trusted.addSubnet('172.16.0.0', 12, 'ipv4')
trusted.addSubnet('192.168.0.0', 16, 'ipv4')
// Shared address space (RFC 6598): what Tailscale gives its machines.
trusted.addSubnet('100.64.0.0', 10, 'ipv4')
trusted.addSubnet('fd00::', 8, 'ipv6')
trusted.addSubnet('fe80::', 10, 'ipv6')

/** Where a TCP listener listens. */
export interface ListenAddress {
  host: string
  port: number
}

/** Reads `host:port` or `[v6]:port`; throws `usage` when it is neither. */
export function parseListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([0-9A-Fa-f:.%a-z]{2,64})\]|([A-Za-z0-9._-]{1,253})):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host === undefined || port > 65_535)
    throw new AppError({
      code: 'usage',
      message: `“${text.slice(0, 200)}” is not an address to listen on.`,
      hint: 'Write host:port, for example 127.0.0.1:7433 or [fd7a::1]:7433.',
    })
  return { host, port }
}

/** Whether an IP address is loopback or private; everything else, “any address” included, may be reached by strangers. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.split('%')[0] ?? ''
  const family = net.isIP(bare)
  return family !== 0 && trusted.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

/** Resolves the host and refuses with `public_address` what is neither loopback nor private, unless that is wanted. */
export async function resolveListenAddress(
  address: ListenAddress,
  { yesPublic }: { yesPublic: boolean },
): Promise<ListenAddress> {
  const found = net.isIP(address.host) ? [{ address: address.host }] : await resolve(address.host)
  const open = found.find((one) => !isPrivateAddress(one.address))
  if (open !== undefined && !yesPublic)
    throw new AppError({
      code: 'public_address',
      message: `${open.address} is neither loopback nor private: strangers could reach this host.`,
      hint: 'Listen on a private address (Tailscale, VPN, LAN), use ssh:// instead, or add --yes-public.',
      details: { address: open.address },
    })
  // The address that was checked is the one that is bound; a name could resolve differently a moment later.
  return { host: found[0]?.address ?? address.host, port: address.port }
}

async function resolve(host: string) {
  try {
    return await lookup(host, { all: true })
  } catch (error) {
    throw new AppError(
      {
        code: 'usage',
        message: `The name ${host} has no address here.`,
        hint: 'Use an IP address of this machine.',
      },
      { cause: error },
    )
  }
}

import { z } from 'zod'
import { AppError } from '../../../shared/errors.ts'
import { parseHostAddress, type HostAddress } from '../../../shared/node/host-client/address.ts'
import type { HostStore, StoredHost } from '../../../shared/node/hosts/host-store.ts'
import { alwaysThere } from './host-errors.ts'
import type { NewHost } from './types.ts'

/** The hosts of the list; undefined when it cannot be read, which `onWrong` hears. */
export function readHostList(store: HostStore, onWrong: (error: unknown) => void): StoredHost[] | undefined {
  return attempt(() => store.list(), onWrong)
}

/** The address of a host of the list; undefined when it cannot be read, which `onWrong` hears. */
export function addressIn(host: StoredHost, onWrong: (error: unknown) => void): HostAddress | undefined {
  return attempt(() => parseHostAddress(host.address), onWrong)
}

function attempt<T>(read: () => T, onWrong: (error: unknown) => void): T | undefined {
  try {
    return read()
  } catch (error) {
    onWrong(error)
    return undefined
  }
}

/** What makes it another host when it changes in the list. */
export function fingerprintOf(stored: StoredHost | undefined): string {
  return JSON.stringify([stored?.address, stored?.sshConfig, stored?.remoteCommand, stored?.addedAt])
}

/** The address of a host that a person adds; throws what is wrong with it. */
export function addressToAdd({ name, address: text }: NewHost): HostAddress {
  const address = parsed(text)
  if (name !== 'local' && address.kind !== 'local') return address
  throw alwaysThere()
}

function parsed(text: string): HostAddress {
  try {
    return parseHostAddress(text.trim())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message, hint } = error
    throw new AppError(
      { code: 'bad_request', message, ...(hint === undefined ? {} : { hint }) },
      { cause: error },
    )
  }
}

/** Why the list of hosts, or the address of one in it, cannot be read, in one sentence for a person. */
export function whyUnreadable(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof z.ZodError) {
    const [issue] = cause.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    return `${place}${issue?.message ?? 'it has another form'}`
  }
  return cause instanceof Error ? cause.message : String(cause)
}

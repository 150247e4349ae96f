import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hostName } from '../../domain/host-name.ts'
import { AppError } from '../../errors.ts'
import { readIfThere, writePrivateFile } from '../private-file.ts'

const hostSchema = z.object({
  name: hostName,
  address: z.string().min(1).max(4_096),
  addedAt: z.number().int(),
  /** A file for ssh's -F. */
  sshConfig: z.string().max(4_096).optional(),
  /** What ssh runs there instead of `handoff dial-stdio`. */
  remoteCommand: z.string().max(4_096).optional(),
})
/** A configured host: a name and an address (`ssh://host` or `ws://host:port`). */
export type StoredHost = z.infer<typeof hostSchema>

const fileSchema = z.object({ v: z.literal(1), hosts: z.array(hostSchema).max(200) })

/** The hosts a person has added (`<home>/hosts.json`) and their tokens (`<home>/host-tokens/<name>`), both 0600. */
export interface HostStore {
  list(): StoredHost[]
  /** Throws host_unknown. */
  get(name: string): StoredHost
  /** Throws host_name_taken, and too_large beyond 200 hosts or for a path of more than 4 096 characters. */
  add(host: Omit<StoredHost, 'addedAt'> & { token?: string }): StoredHost
  /** Changes how a host is reached; undefined removes a setting. Throws host_unknown. */
  change(name: string, patch: { remoteCommand?: string | undefined }): StoredHost
  /** Forgets the token of a host, if there is one. */
  forgetToken(name: string): void
  /** Throws host_unknown. Forgets the token too. */
  remove(name: string): StoredHost
  token(name: string): string | undefined
}

/** Opens the store of one home folder; files are read at every call, so other processes' changes are seen. */
export function createHostStore(home: string): HostStore {
  const path = join(home, 'hosts.json')
  const tokenFolder = join(home, 'host-tokens')
  const read = () => readHosts(path)
  const write = (hosts: StoredHost[]) =>
    writePrivateFile(path, `${JSON.stringify({ v: 1, hosts }, null, 2)}\n`)
  const get = (name: string): StoredHost => {
    const found = read().find((host) => host.name === name)
    if (found === undefined) throw unknownHost(name, read())
    return found
  }
  return {
    list: read,
    get,
    add({ token, ...rest }) {
      const { name } = rest
      const hosts = read()
      if (name === 'local' || hosts.some((host) => host.name === name))
        throw new AppError({
          code: 'host_name_taken',
          message: `There is a host called ${name} already.`,
          hint: `Choose another name, or run \`handoff host remove ${name}\` first.`,
        })
      const host = { ...rest, addedAt: Date.now() }
      // What could not be read again would hide every other host.
      if (!fileSchema.safeParse({ v: 1, hosts: [...hosts, host] }).success) throw tooMuch()
      if (token !== undefined) writePrivateFile(join(tokenFolder, name), `${token}\n`)
      write([...hosts, host])
      return host
    },
    change(name, patch) {
      const changed = hostSchema.parse({ ...get(name), ...patch })
      write(read().map((one) => (one.name === name ? changed : one)))
      return changed
    },
    forgetToken: (name) => rmSync(join(tokenFolder, name), { force: true }),
    remove(name) {
      const host = get(name)
      write(read().filter((one) => one.name !== name))
      rmSync(join(tokenFolder, name), { force: true })
      return host
    },
    token: (name) => readIfThere(join(tokenFolder, name))?.trim(),
  }
}

function unknownHost(name: string, hosts: StoredHost[]): AppError {
  return new AppError({
    code: 'host_unknown',
    message: `There is no host called ${name}.`,
    hint: `Known: ${['local', ...hosts.map((host) => host.name)].join(', ')}. Add one with \`handoff host add ${name} ssh://…\`.`,
  })
}

function readHosts(path: string): StoredHost[] {
  const text = readIfThere(path)
  if (text === undefined) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw damaged(path, cause)
  }
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) throw damaged(path, parsed.error)
  return parsed.data.hosts
}

function tooMuch(): AppError {
  return new AppError({
    code: 'too_large',
    message: 'The list of hosts takes 200 hosts, each with an address and paths of at most 4096 characters.',
    hint: 'Remove a host that is not used any more with `handoff host remove`.',
  })
}

function damaged(path: string, cause: unknown): AppError {
  return new AppError(
    {
      code: 'bad_request',
      message: `${path} cannot be read as a list of hosts.`,
      hint: 'Repair or remove the file, then add the hosts again.',
    },
    { cause },
  )
}

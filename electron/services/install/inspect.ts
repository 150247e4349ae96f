import { z } from 'zod'
import { isFitNode } from '../../../shared/domain/fit-node.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RemotePlatform } from './payload.ts'

const NEEDED_KIB = 400 * 1024
const line = z.string().max(4_096)

const factsSchema = z.object({
  system: line,
  machine: line,
  musl: line.default(''),
  home: line.regex(/^\//),
  root: line.regex(/^\//),
  free: line.default(''),
  writable: line.default(''),
  git: line.default(''),
  tmux: line.default(''),
  tar: line.default(''),
  gzip: line.default(''),
  build: line.default(''),
  node: z.array(line).max(100),
})

/** What the other machine is and has. */
export interface RemoteFacts {
  platform: RemotePlatform
  /** The home of Handoff there, and whether it is the usual one. */
  root: string
  isUsualRoot: boolean
  /** The build that is in place. */
  build: string | undefined
  /** A Node that can run Handoff: its version and folder. */
  node: { version: string; folder: string } | undefined
  /** Older ones, for the sentence. */
  olderNodes: string[]
}

/** The `handoff:<name>=<value>` lines of a script's output; what else was printed is skipped. */
export function saidLines(stdout: string): [name: string, value: string][] {
  return stdout.split('\n').flatMap((text): [string, string][] => {
    const match = /^handoff:([a-z]+)=(.*)$/.exec(text.trimEnd())
    return match === null ? [] : [[match[1] ?? '', match[2] ?? '']]
  })
}

/** Reads what the script of inspection printed; throws what keeps Handoff from running there, with what to do. */
export function readFacts(stdout: string, host: string): RemoteFacts {
  const said = saidLines(stdout)
  const node = said.filter(([name]) => name === 'node').map(([, value]) => value)
  const parsed = factsSchema.safeParse({ ...Object.fromEntries(said), node: node.slice(0, 100) })
  if (!parsed.success)
    throw unsuitable(`What ${host} says of itself cannot be read.`, `Try by hand: ssh ${host} uname -sm`)
  const facts = parsed.data
  const platform = platformOf(facts)
  if (platform === undefined)
    throw unsuitable(
      `Handoff does not run on ${facts.system} ${facts.machine}.`,
      'It needs Linux or macOS on x64 or arm64.',
    )
  for (const name of ['tmux', 'git', 'tar', 'gzip'] as const)
    if (facts[name] === '') throw missing(name, platform, host)
  const freeKib = freeKibOf(facts.free)
  if (freeKib !== undefined && freeKib < NEEDED_KIB)
    throw new AppError({
      code: 'disk_full',
      message: `There are only ${Math.round(freeKib / 1024)} MB left for ${facts.root} on ${host}.`,
      hint: `Make room for ${NEEDED_KIB / 1024} MB there, then try again.`,
    })
  if (facts.writable === '')
    throw unsuitable(`${facts.root} cannot be written on ${host}.`, `Look at its owner: ls -ld ${facts.root}`)
  const nodes = node.map(readNode).filter((one) => one !== undefined)
  return {
    platform,
    root: facts.root,
    isUsualRoot: facts.root === `${facts.home}/.handoff`,
    build: /^[0-9A-Za-z.+-]{1,100}$/.test(facts.build) ? facts.build : undefined,
    node: nodes.find(({ isGood }) => isGood),
    olderNodes: nodes.filter(({ isGood }) => !isGood).map(({ version }) => version),
  }
}

function platformOf({ system, machine, musl }: z.output<typeof factsSchema>): RemotePlatform | undefined {
  const arch = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' }[machine] as
    RemotePlatform['arch'] | undefined
  if (arch === undefined) return undefined
  if (system === 'Darwin') return { system: 'darwin', arch }
  return system === 'Linux' ? { system: musl === '' ? 'linux' : 'linuxmusl', arch } : undefined
}

/** `df -P`: file system, blocks, used, available, capacity, mount point. */
function freeKibOf(text: string): number | undefined {
  const available = Number(text.trim().split(/\s+/)[3])
  return Number.isFinite(available) ? available : undefined
}

/** `v24.1.0 /usr/bin/node`. */
function readNode(text: string): { version: string; folder: string; isGood: boolean } | undefined {
  const match = /^v(\d+\.\d+\.\d+\S*) (\/.*)\/node$/.exec(text)
  if (match === null) return undefined
  const [, version = '', folder = ''] = match
  return { version, folder, isGood: isFitNode(version) }
}

function missing(name: string, { system }: RemotePlatform, host: string): AppError {
  const install = {
    darwin: `brew install ${name}`,
    linuxmusl: `sudo apk add ${name}`,
    linux: `sudo apt install ${name}`,
  }
  return new AppError({
    code: name === 'tmux' ? 'tmux_missing' : name === 'git' ? 'git.missing' : 'program_missing',
    message: `${name} is not installed on ${host}.`,
    hint: `Install it there (for example: ${install[system]}), then try this step again.`,
  })
}

function unsuitable(message: string, hint: string): AppError {
  return new AppError({ code: 'host_unsuitable', message, hint })
}

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Where the Node program is that a package for a platform carries. For Linux npm has brought one for each processor; elsewhere
 * it is the one that runs this, or what HANDOFF_PACKAGE_NODE names. Throws with what is missing and what to do.
 */
export function nodeProgram({ root, platform, arch, environment }) {
  const named = environment.HANDOFF_PACKAGE_NODE
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`HANDOFF_PACKAGE_NODE names ${named}, which does not exist.`)
  }
  const pinned = path.join(root, `node_modules/node-${platform}-${arch}/bin/node`)
  if (existsSync(pinned)) return pinned
  if (platform !== process.platform || arch !== process.arch) throw missing(platform, arch)
  const foreign = platform === 'darwin' ? foreignLibraries(process.execPath) : []
  if (foreign.length === 0) return process.execPath
  throw new Error(
    `${process.execPath} needs ${foreign[0]}, which other machines do not have. Run this with a Node from ` +
      'https://nodejs.org, or name one with HANDOFF_PACKAGE_NODE.',
  )
}

function missing(platform, arch) {
  const why =
    platform === 'linux'
      ? `npm installs node-linux-${arch} only on such a machine. Package there`
      : `This Node is one for ${process.platform} ${process.arch}. Package on such a machine`
  return new Error(
    `A package for ${platform} ${arch} carries a Node program for it, and there is none here. ${why}, or unpack one ` +
      'from https://nodejs.org and name it with HANDOFF_PACKAGE_NODE=<its bin/node>.',
  )
}

/** What a Mac program loads besides the system's own libraries; a package manager's Node does. */
function foreignLibraries(program) {
  return execFileSync('otool', ['-L', program], { encoding: 'utf8' })
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(' ')[0])
    .filter((library) => library !== '' && !/^(\/usr\/lib\/|\/System\/)/.test(library))
}

/**
 * The oldest Node.js that runs Handoff: the SQLite addon crashes on older ones, and process.execve is of 22.15. bin/handoff and
 * scripts/fit-node.mjs say the same once more, because they run on whatever there is.
 */
export const OLDEST_NODE = '22.15'

/** Whether Handoff runs on a Node.js of this version (`22.15.0`, without a `v`). */
export function isFitNode(version: string): boolean {
  const [oldMajor = 0, oldMinor = 0] = OLDEST_NODE.split('.').map(Number)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldMajor || (major === oldMajor && minor >= oldMinor)
}

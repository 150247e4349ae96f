import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * Processes that a test run started and did not end: their environment, working folder or arguments name the run's folder.
 * Looks for up to `graceMs`, because a process that was just killed is listed until its parent has taken note.
 */
export async function findLeftovers(runDir, graceMs = 3000) {
  const deadlineMs = performance.now() + graceMs
  let found = list(runDir)
  while (found.length > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    found = list(runDir)
  }
  return found
}

/** Ends what was found, so that one forgotten process does not disturb the next run. */
export async function endLeftovers(leftovers) {
  for (const { pid } of leftovers) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It may end by itself between being listed and being killed.
      if (error.code !== 'ESRCH') throw error
    }
  }
}

function list(runDir) {
  return process.platform === 'linux' ? listFromProc(runDir) : listFromPs(runDir)
}

function listFromProc(runDir) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const args = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
      const marks = [args, read(`/proc/${pid}/environ`), link(`/proc/${pid}/cwd`)]
      const zombie = read(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, '')
        .startsWith('Z')
      if (zombie || !marks.some((text) => text.includes(runDir))) return []
      return [{ pid: Number(pid), command: args.slice(0, 200), test: owner(read(`/proc/${pid}/environ`)) }]
    })
}

/** Which task a process belonged to, when an executor left it behind. */
function owner(environ) {
  const mark = environ.split('\0').find((entry) => entry.startsWith('HANDOFF_TASK='))
  return mark ?? ''
}

function listFromPs(runDir) {
  const { stdout } = spawnSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' })
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(runDir))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().slice(0, 200), test: '' }))
    .filter(({ pid }) => pid !== process.pid)
}

function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    return notReadable(error)
  }
}

function link(file) {
  try {
    return readlinkSync(file)
  } catch (error) {
    return notReadable(error)
  }
}

/** A process that has ended, or belongs to somebody else, was not left by these tests. */
function notReadable(error) {
  if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return ''
  throw error
}

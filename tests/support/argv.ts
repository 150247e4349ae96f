import { readdir, readFile } from 'node:fs/promises'

/** The command lines of all processes of this machine (Linux), arguments separated by spaces. */
export async function argvOf(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (text) => text.replaceAll('\0', ' '),
        () => '',
      ),
    ),
  )
}

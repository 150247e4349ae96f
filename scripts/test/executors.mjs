import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Installs the real agents the tests drive, from their own lock file, when they are missing or the lock has changed.
 * Users of Handoff never pay for them. Without a network the specs that need them are skipped and say so.
 */
export function installExecutors(root) {
  const folder = path.join(root, 'tests/executors')
  const lock = path.join(folder, 'package-lock.json')
  if (!existsSync(lock)) return
  const stamp = path.join(folder, 'node_modules/.handoff-lock')
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing the real agents the tests drive (tests/executors, once) …')
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--no-fund', '--no-audit'], {
      cwd: root,
      // What the caller prints may be read by a program.
      stdio: ['inherit', 2, 2],
      // Without a network npm tries for very long; the specs are then skipped by name.
      timeout: 240_000,
      // npm leaves out platform packages whose engines exclude the Node it runs on, so it must run on this one.
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    })
    if (status === 0) return writeFileSync(stamp, wanted)
    console.error(`npm ci --prefix tests/executors failed (attempt ${attempt} of 2).`)
  }
}

import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { startSshd } from './sshd.ts'
import { createTempDir } from './temp.ts'
import { createTmuxPlace } from './tmux.ts'

const nodeFolder = path.resolve(import.meta.dirname, '../../node_modules/.bin')

/** A machine over ssh whose user has never heard of Handoff. `more` is put into the environment of what ssh starts there. */
export async function freshMachine(more: Record<string, string> = {}) {
  const folder = await createTempDir('hi-')
  const tmux = await createTmuxPlace()
  await writeFile(
    path.join(tmux.home, '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.invalid\n',
  )
  // The service manager of the person who runs the tests must not be touched.
  const stubs = path.join(folder.path, 'stubs')
  await mkdir(stubs)
  await writeFile(path.join(stubs, 'systemctl'), '#!/bin/sh\necho offline\nexit 1\n')
  await chmod(path.join(stubs, 'systemctl'), 0o755)
  const env = {
    HOME: tmux.home,
    XDG_CONFIG_HOME: tmux.home,
    TMUX_TMPDIR: tmux.folder,
    SHELL: '/bin/false',
    PATH: `${stubs}:${nodeFolder}:/usr/bin:/bin`,
    ...more,
  }
  const sshd = await startSshd({ env })
  const handoff = path.join(tmux.home, '.handoff')
  const run = (args: string[]) =>
    execa(path.join(handoff, 'bin/handoff'), args, { env, extendEnv: false, reject: false })
  return {
    folder: folder.path,
    env,
    sshd,
    home: tmux.home,
    handoff,
    run,
    /** Ends the agentd that was installed, and removes everything. */
    async dispose() {
      if (existsSync(path.join(handoff, 'bin/handoff'))) await run(['agentd', 'stop'])
      await sshd.dispose()
      await tmux.dispose()
      await folder.dispose()
    },
  }
}

/** A machine without Handoff, until it is installed there. */
export type FreshMachine = Awaited<ReturnType<typeof freshMachine>>

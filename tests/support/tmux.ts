import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A tmux server of this test alone: `environment` reaches it and no other; `dispose` ends it with its sessions. */
export async function createTmuxPlace(configuration?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'handoff-tmux-'))
  const home = await mkdtemp(join(tmpdir(), 'handoff-home-'))
  if (configuration !== undefined) {
    await writeFile(join(home, '.tmux.conf'), configuration)
  }
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    TMUX_TMPDIR: folder,
    HOME: home,
    XDG_CONFIG_HOME: home,
  }
  delete environment['TMUX']
  delete environment['TMUX_PANE']
  const tmux = (...args: string[]) =>
    promisify(execFile)('tmux', args, { env: environment }).then(({ stdout }) => stdout)
  return {
    folder,
    home,
    environment,
    /** Plain tmux on that server. */
    tmux,
    async dispose(): Promise<void> {
      const socket = join(folder, `tmux-${process.getuid?.() ?? 0}`, 'default')
      // Without its socket there is no server; asking would make no difference.
      if (existsSync(socket)) await tmux('-S', socket, 'kill-server').catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}
export type TmuxPlace = Awaited<ReturnType<typeof createTmuxPlace>>

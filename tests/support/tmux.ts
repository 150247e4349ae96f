import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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
      // The server of agents and that of people's shells. Without its socket there is no server.
      const sockets = join(folder, `tmux-${process.getuid?.() ?? 0}`)
      for (const name of existsSync(sockets) ? await readdir(sockets) : [])
        await tmux('-S', join(sockets, name), 'kill-server').catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}
export type TmuxPlace = Awaited<ReturnType<typeof createTmuxPlace>>

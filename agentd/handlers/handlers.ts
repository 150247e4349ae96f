import type { Home } from '../../shared/node/home.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { HostEnvironment } from '../host-environment.ts'
import type { Handlers } from '../server/call-context.ts'
import type { PresenceRegistry } from '../server/presence.ts'
import type { Tokens } from '../server/tokens.ts'
import type { Uploads } from '../server/uploads.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../tasks/engine.ts'
import { createControlHandlers } from './control-handlers.ts'
import { createFileHandlers } from './file-handlers.ts'
import { createGcHandlers } from './gc-handlers.ts'
import { createRepoHandlers } from './repo-handlers.ts'
import { createTaskHandlers } from './task-handlers.ts'
import { createTicketHandlers } from './ticket-handlers.ts'
import { createWindowHandlers } from './window-handlers.ts'
import type { Shells } from '../executors/shells.ts'
import type { Tmux } from '../executors/tmux.ts'

interface Needs {
  store: Store
  engine: Engine
  tokens: Tokens
  presence: PresenceRegistry
  uploads: Uploads
  environment: HostEnvironment
  home: Home
  now: () => number
  tmux: Pick<Tmux, 'windows'>
  shells: Shells
  tmuxVersion(): Promise<string | undefined>
  hostInfo(): Promise<CallOutput<'host.info'>>
  stop(): void
}

/** Every call of the protocol. */
export function createHandlers(needs: Needs): Handlers {
  const { store, uploads, environment, home, now } = needs
  return {
    ...createTaskHandlers({ ...needs, tmuxSocketDir: environment.tmuxSocketDir }),
    ...createWindowHandlers(needs),
    ...createTicketHandlers(needs),
    ...createFileHandlers({
      store,
      now,
      incoming: home.incoming,
      environment: environment.forExecutor,
      ran: needs.engine.acts.ran,
    }),
    ...createRepoHandlers({ home: home.root, uploads }),
    ...uploads.handlers,
    ...createGcHandlers({ store, now, home }),
    ...createControlHandlers(needs),
  }
}

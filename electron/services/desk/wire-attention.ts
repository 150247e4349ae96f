import path from 'node:path'
import { createAttentionService } from '../attention/attention-service.ts'
import type { AttentionService } from '../attention/types.ts'
import { act } from './act.ts'
import type { DeskLogger } from './log.ts'
import type { OpenServices } from './open-services.ts'
import type { DeskNeeds } from './types.ts'
import type { WorkServices } from './wire-work.ts'

/** Makes what looks after badge, tray and notifications. */
export function wireAttention({
  needs: { home, platform },
  services: { cache, hosts, outbox, settings },
  work,
  log,
  onOpen,
}: {
  needs: Pick<DeskNeeds, 'home' | 'platform'>
  services: Pick<OpenServices, 'cache' | 'hosts' | 'outbox' | 'settings'>
  work: Pick<WorkServices, 'tickets'>
  log: DeskLogger
  onOpen: (route: string) => void
}): AttentionService {
  return createAttentionService({
    cache,
    hosts,
    outbox,
    settings,
    notifier: platform.notifier,
    databasePath: path.join(home.root, 'desk', 'desk.db'),
    systemLocale: platform.systemLocale,
    onAct: (what) => act(work.tickets, what),
    onOpen,
    onProblem: (error) => log.warn({ err: error }, 'something about notifications did not work'),
    // The file is the outbox's: what it holds beside this must not be lost.
    onFileFails: outbox.checkFile,
  })
}

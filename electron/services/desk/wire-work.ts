import type { CallServices } from '../calls/services.ts'
import { createDispatchCheck } from '../tasks/check.ts'
import { createDecisions } from '../tasks/decisions.ts'
import { createDemo } from '../tasks/demo.ts'
import { createDiffReader } from '../tasks/diff.ts'
import { createDispatcher } from '../tasks/dispatch.ts'
import { createOpening } from '../tasks/opening.ts'
import { createPathCommand } from '../tasks/path-command.ts'
import { createCommandRunner } from '../tasks/run.ts'
import { createTaskDetail } from '../tasks/task-detail.ts'
import { createTaskWindows } from '../tasks/task-windows.ts'
import { createTickets } from '../tasks/tickets.ts'
import type { OpenServices } from './open-services.ts'
import type { DeskNeeds } from './types.ts'

/** The part of what calls are carried out with that works on tasks and on this machine. */
export type WorkServices = Pick<
  CallServices,
  | 'tickets'
  | 'detail'
  | 'windows'
  | 'decisions'
  | 'demo'
  | 'opening'
  | 'command'
  | 'diff'
  | 'run'
  | 'check'
  | 'dispatch'
>

/** Makes what windows do with tickets and tasks. */
export function wireWork(services: OpenServices, needs: DeskNeeds): WorkServices {
  const { cache, hosts, outbox, jobs, settings, dispatched, results, clientId } = services
  const { environment, platform, installation, home } = needs
  return {
    tickets: createTickets({ cache, hosts, outbox }),
    detail: createTaskDetail({ cache, hosts, outbox }),
    windows: createTaskWindows({ hosts }),
    decisions: createDecisions({ cache, hosts, outbox }),
    diff: createDiffReader({ hosts, jobs }),
    run: createCommandRunner({ hosts, jobs }),
    check: createDispatchCheck({ hosts, environment }),
    dispatch: createDispatcher({
      cache,
      hosts,
      jobs,
      settings,
      dispatched,
      onDispatched: results.expect,
      clientId,
      environment,
    }),
    demo: createDemo({
      home: home.root,
      cache,
      hosts,
      pace: environment['HANDOFF_DEMO_PACE'] === 'fast' ? 'fast' : 'watch',
      now: Date.now,
    }),
    opening: createOpening({ cache, hosts, settings, platform, environment, logs: home.logs }),
    command: createPathCommand({ command: installation.command, environment }),
  }
}

import { routeSchema } from '../../../shared/ipc/views.ts'
import { openHome } from '../../../shared/node/home.ts'
import { createCallDispatcher } from '../calls/dispatch-call.ts'
import { inFairTurns } from '../calls/fair-turns.ts'
import { createHandlers } from '../calls/handlers.ts'
import { act } from './act.ts'
import { createDeskEvents, type DeskEvents } from './events.ts'
import { createDeskLog, type DeskLogger } from './log.ts'
import { openServices, type OpenServices } from './open-services.ts'
import { createPlaces } from './places.ts'
import { createDeskState } from './state.ts'
import { taskOfRoute } from './task-of-route.ts'
import type { Desk, DeskNeeds } from './types.ts'
import { createHostViews } from './views.ts'
import { wireAttention } from './wire-attention.ts'
import { wireChanges } from './wire-changes.ts'
import { wireInstaller } from './wire-installer.ts'
import { wireWork, type WorkServices } from './wire-work.ts'

/**
 * Opens the services of a home and wires them. Two desks on one home (the app and `handoff ui`) may run at once. Throws
 * `home_unsafe` and what opening `<home>/desk/desk.db` says; a cache or settings that cannot be read are begun anew.
 */
export async function createDesk(needs: DeskNeeds): Promise<Desk> {
  await openHome(needs.home)
  const log = createDeskLog(needs.home.logs)
  const events = createDeskEvents(log)
  const services = openServices({ needs, events, log })
  const work = wireWork(services, needs)
  return wireDesk({ needs, events, log, services, work })
}

interface Parts {
  needs: DeskNeeds
  events: DeskEvents
  log: DeskLogger
  services: OpenServices
  work: WorkServices
}

function wireDesk({ needs, events, log, services, work }: Parts): Desk {
  const { cache, hosts, settings, outbox, jobs, terminals } = services
  const { home, environment, platform } = needs
  const places = createPlaces(home.root)
  const views = createHostViews({ hosts, cache, outbox })
  const openAt = (route: string): void => {
    const wanted = routeSchema.safeParse(route)
    if (!wanted.success) return log.warn({}, 'a place to open is no route of a window')
    places.openAt(wanted.data)
    events.tell('desk.navigate', { route: wanted.data })
  }
  // In Electron the window has to come to the front; the shell calls `openAt` itself.
  const openWindow = platform.openWindow ?? openAt
  const attention = wireAttention({ needs, services, work, log, onOpen: openWindow })
  const changes = wireChanges({ services, events, views, demo: work.demo, log })
  const state = createDeskState({ needs, services, views, places, revision: changes.revision })
  const handlers = createHandlers({
    ...services,
    ...work,
    platform,
    environment,
    notifications: { test: () => attention.test(), records: () => attention.log() },
    installer: wireInstaller({ hosts, store: services.store, installation: needs.installation }),
    views: {
      state() {
        events.windowIsThere()
        return state()
      },
      hosts: views.all,
      host: views.one,
    },
    openWindow,
    focus({ windowId }, where) {
      attention.focus(windowId, where)
      places.went(where.route)
      const shown = where.focused ? taskOfRoute(where.route) : undefined
      if (shown !== undefined) cache.markSeen(shown.host, shown.taskId)
    },
  })
  return {
    call: inFairTurns(createCallDispatcher(handlers, log)),
    onEvent: events.onEvent,
    attention: attention.current,
    onAttention: attention.onChange,
    act: (what) => act(work.tickets, what),
    openAt,
    settings,
    wake() {
      hosts.wake()
      attention.lookAgain()
    },
    windowClosed(windowId) {
      terminals.closeAllOf(windowId)
      attention.windowClosed(windowId)
      places.keepNow()
    },
    async dispose() {
      changes.dispose()
      attention.dispose()
      jobs.dispose()
      places.keepNow()
      await Promise.all([terminals.dispose(), services.results.dispose(), outbox.dispose()])
      await hosts.dispose()
      cache.dispose()
    },
  }
}

import { join } from 'node:path'
import { z } from 'zod'
import { routeSchema } from '../../../shared/ipc/views.ts'
import { readDispensable, writeDispensable } from '../../../shared/node/private-file.ts'

const WRITE_AFTER_MS = 2_000

const fileSchema = z.object({ v: z.literal(1), route: routeSchema })

/** Where the next window should begin. */
export interface Places {
  went(route: string): void
  /** Where a window that opens now begins: where it was asked to, else where the last one was. */
  begin(): string | undefined
  /** The next window begins there, unless a window that is open goes there before. */
  openAt(route: string): void
  /** Writes the last place down; else that is done two seconds after it was gone to. */
  keepNow(): void
}

/** Remembers routes; the last one also over a restart, in `<home>/desk/place.json`. A disk that fails costs only that. */
export function createPlaces(home: string): Places {
  const path = join(home, 'desk', 'place.json')
  let last = readDispensable(path, fileSchema)?.route
  let wanted: string | undefined
  let written = last
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    if (last === undefined || last === written) return
    written = last
    // From a timer, where what is thrown would end the whole desk.
    writeDispensable(path, JSON.stringify({ v: 1, route: last }))
  }

  return {
    went(route) {
      if (route === wanted) wanted = undefined
      // The tray's own small window is no place to come back to.
      if (route.startsWith('/tray')) return
      last = route
      timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
    },
    begin() {
      const route = wanted ?? last
      wanted = undefined
      return route
    },
    openAt(route) {
      wanted = route
    },
    keepNow: write,
  }
}

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventMark, type WireEvent } from '../../shared/protocol/records.ts'
import { writePrivateFile } from '../../shared/node/private-file.ts'

/** The last event of a task that was printed; 0 before the first one. `mark` is its `eventMark`, where that is known. */
export interface FollowPlace {
  seq: number
  mark?: string | undefined
}

/** Up to which event `wait --follow` has printed each task, by client (`<home>/follow/<client>/<task>`: the event's mark). */
export function createFollowPlaces(home: string, clientId: string) {
  const folder = join(home, 'follow', clientId)
  const pathOf = (taskId: string) => join(folder, taskId)
  return {
    get(taskId: string): FollowPlace {
      try {
        return placeIn(readFileSync(pathOf(taskId), 'utf8'))
      } catch (error) {
        if (error instanceof Error && 'code' in error) return { seq: 0 }
        throw error
      }
    },
    set(event: WireEvent): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writePrivateFile(pathOf(event.taskId), eventMark(event))
    },
  }
}

/** Earlier versions wrote the number alone. */
function placeIn(text: string): FollowPlace {
  const seq = Number(text.split(' ', 1)[0])
  if (!Number.isSafeInteger(seq) || seq < 0) return { seq: 0 }
  return text.includes(' ') ? { seq, mark: text } : { seq }
}

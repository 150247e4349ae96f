import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../shared/node/private-file.ts'

/** Up to which event `wait --follow` has printed each task, by client (`<home>/follow/<client>/<task>`). */
export function createFollowPlaces(home: string, clientId: string) {
  const folder = join(home, 'follow', clientId)
  const pathOf = (taskId: string) => join(folder, taskId)
  return {
    get(taskId: string): number {
      try {
        const seq = Number(readFileSync(pathOf(taskId), 'utf8'))
        return Number.isSafeInteger(seq) && seq >= 0 ? seq : 0
      } catch (error) {
        if (error instanceof Error && 'code' in error) return 0
        throw error
      }
    },
    set(taskId: string, seq: number): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writePrivateFile(pathOf(taskId), String(seq))
    },
  }
}

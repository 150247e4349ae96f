// The process that owns the ptys: when it crashes or hangs, the desk goes on and starts another.
import { PTY_BEAT_MS, toPtyHostSchema } from '../../shared/pty-messages.ts'
import { findParent } from './parent.ts'
import { createPtys } from './ptys.ts'

/** So many beats without a word from the parent mean that it is gone. Beats are counted, since a laptop sleeps. */
const SILENT_BEATS = 12

function main(): void {
  const parent = findParent()
  const ptys = createPtys({ send: parent.send })
  let silentBeats = 0

  function leave(): void {
    ptys.killAll()
    process.exit(0)
  }

  parent.onMessage((message) => {
    silentBeats = 0
    const parsed = toPtyHostSchema.safeParse(message)
    // A parent of another version: better no terminal than one that does something else than asked.
    if (parsed.success) ptys.handle(parsed.data)
  })
  parent.onGone(leave)
  process.once('SIGTERM', leave)
  setInterval(() => {
    silentBeats += 1
    if (silentBeats > SILENT_BEATS) leave()
  }, PTY_BEAT_MS)
}

main()

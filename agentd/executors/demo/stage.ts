import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutorFact } from '../adapter.ts'
import type { Entry, Screen } from './screen.ts'

interface Deps {
  screen: Screen
  publish: (fact: ExecutorFact) => void
  nextKey: () => string
}

/** Shows what the worker does at a pace that a person can follow, and tells the adapter the same as progress. */
export function createStage({ screen, publish, nextKey }: Deps) {
  let fast = false

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    if (!fast) await delay(ms, undefined, { signal }).catch(ignoreAbort)
  }

  function progress(kind: 'text' | 'tool' | 'status', text: string): void {
    publish({ type: 'progress', key: nextKey(), kind, text: text.slice(0, 8_000) })
  }

  function failed(command: string, exitCode: number): void {
    const text = command.slice(0, 8_000)
    publish({ type: 'progress', key: nextKey(), kind: 'tool', text, failed: { exitCode } })
    screen.add({ mark: '  ✗ ', text: `exit code ${exitCode}`, style: 'red' })
  }

  function heading(title: string): void {
    screen.add({ text: '', style: 'plain' })
    screen.add({ mark: '▌ ', text: title, style: 'title' })
  }

  return {
    setFast(value: boolean): void {
      fast = value
    },
    pause,
    progress,
    /** A command has ended with an error. */
    failed,
    add: (entry: Entry) => screen.add(entry),
    working: (text: string) => screen.show({ kind: 'working', text }),
    /** A heading on the screen only. */
    heading,
    section(title: string): void {
      progress('status', title)
      heading(title)
    },
    /** Types a sentence. */
    async say(text: string, signal: AbortSignal): Promise<void> {
      progress('text', text)
      const chars = [...text]
      for (let shown = 2; !fast && shown < chars.length && !signal.aborted; shown += 3) {
        screen.type({ mark: '  ', text: `${chars.slice(0, shown).join('')}▏`, style: 'plain' })
        await pause(25, signal)
      }
      screen.add({ mark: '  ', text, style: 'plain' })
      await pause(350, signal)
    },
    /** Shows the output of a command, long ones shortened. */
    output(text: string): void {
      const lines = text.split('\n')
      const shown = lines.length > 14 ? [...lines.slice(0, 12), `… ${lines.length - 12} more lines`] : lines
      for (const line of shown) screen.add({ mark: '  │ ', text: line, style: 'dim' })
    },
  }
}
export type Stage = ReturnType<typeof createStage>

function ignoreAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error
}

import { useEffect, useRef, useState } from 'react'
import { tokensOfLine, type ColourAnswer, type ColourRequest, type Tokens } from './colour-messages.ts'
import type { DiffFile, DiffHunk, DiffLine } from './parse.ts'

/** A longer one would keep the others waiting for their colours. */
const MAX_HUNK_LINES = 20_000

/** The kinds of words of a line, once they are known. */
export type ColourOf = (line: DiffLine) => Tokens | undefined

/** Colours the hunks that are asked for, in a worker; a hunk is coloured once. */
export function useColours(): { colourOf: ColourOf; ask: (file: DiffFile, hunk: DiffHunk) => void } {
  const state = useRef<{
    worker: Worker | undefined
    lastId: number
    asked: WeakSet<DiffHunk>
    waiting: Map<number, DiffLine[]>
    known: WeakMap<DiffLine, Tokens | { answer: ColourAnswer; at: number }>
  }>({ worker: undefined, lastId: 0, asked: new WeakSet(), waiting: new Map(), known: new WeakMap() })
  const [, redraw] = useState(0)
  useEffect(() => {
    const held = state.current
    return () => {
      held.worker?.terminate()
      held.worker = undefined
      held.asked = new WeakSet()
    }
  }, [])

  function start(): Worker {
    const worker = new Worker(new URL('./colour-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<ColourAnswer>) => {
      const held = state.current
      if (data.ends.length > 0)
        held.waiting.get(data.id)?.forEach((line, at) => held.known.set(line, { answer: data, at }))
      held.waiting.delete(data.id)
      redraw((count) => count + 1)
    }
    return worker
  }

  function send(file: DiffFile, lines: DiffLine[]): void {
    const held = state.current
    if (lines.length === 0) return
    held.worker ??= start()
    const id = (held.lastId += 1)
    held.waiting.set(id, lines)
    held.worker.postMessage({
      id,
      path: file.path,
      lines: lines.map((line) => line.text),
    } satisfies ColourRequest)
  }

  return {
    colourOf(line) {
      const found = state.current.known.get(line)
      if (found === undefined || !('answer' in found)) return found
      const tokens = tokensOfLine(found.answer, found.at)
      state.current.known.set(line, tokens)
      return tokens
    },
    ask(file, hunk) {
      if (state.current.asked.has(hunk) || hunk.lines.length > MAX_HUNK_LINES) return
      state.current.asked.add(hunk)
      // Old and new text are two programs; mixed together neither could be read.
      send(
        file,
        hunk.lines.filter((line) => line.kind === 'remove'),
      )
      send(
        file,
        hunk.lines.filter((line) => line.kind !== 'remove'),
      )
    },
  }
}

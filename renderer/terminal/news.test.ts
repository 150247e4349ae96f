import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNewsWatch } from './news.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  let screen = ['$ npm test', 'thinking |', '']
  let told = 0
  const watch = createNewsWatch({ rows: () => [...screen], onNews: () => (told += 1) })
  return {
    watch,
    told: () => told,
    comes(...rows: string[]): void {
      screen = rows
      watch.came()
      vi.advanceTimersByTime(1_000)
    },
  }
}

describe('news of a terminal', () => {
  it('are told once while it is not shown, and again after it was looked at', () => {
    const { watch, told, comes } = start()
    comes('seen', 'by', 'somebody')
    watch.setShown(false)
    comes('a', 'b', '')
    comes('c', 'd', '')
    expect(told()).toBe(1)
    watch.setShown(true)
    comes('e', 'f', '')
    watch.setShown(false)
    comes('g', 'h', '')
    expect(told()).toBe(2)
  })

  it('are not a sign that turns in one row', () => {
    const { watch, told, comes } = start()
    watch.setShown(false)
    for (const sign of ['/', '-', '|']) comes('$ npm test', `thinking ${sign}`, '')
    expect(told()).toBe(0)
    comes('$ npm test', 'done', '$')
    expect(told()).toBe(1)
  })
})

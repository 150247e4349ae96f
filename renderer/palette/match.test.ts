import { expect, it } from 'vitest'
import { fit } from './match.ts'

it('finds what has the typed words in it, in any order, and nothing that only has their letters', () => {
  expect(fit('theme-dark Dark appearance', 'dark')).toBe(1)
  expect(fit('demo Start the demo task', 'dark')).toBe(0)
  expect(fit('demo Start the demo task', 'TASK st')).toBe(1)
  expect(fit('demo Start the demo task', 'task dark')).toBe(0)
})

it('puts the beginning of a word before its middle, and finds words that no space parts', () => {
  expect(fit('a Restart', 'start')).toBeLessThan(fit('a Start', 'start'))
  expect(fit('demo 启动演示任务', '演示')).toBeGreaterThan(0)
  expect(fit('needs box/1:p2 rm -rf ../old', '-rf ../old')).toBeGreaterThan(0)
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { measureStart, scriptBytes } from '../support/start-size.ts'

it('loads at most 300 kB of script before the window can be drawn, and neither the terminal nor the diff', () => {
  const start = measureStart()
  expect(start.scripts.length).toBeGreaterThan(0)
  expect(scriptBytes(start)).toBeLessThanOrEqual(300_000)
  const names = start.scripts.map(({ name }) => name).join(' ')
  // The page names what its first script imports later, so that all of it is asked for at once.
  expect(names).toContain('screens')
  expect(names).not.toMatch(/Terminal|Review|Markdown|colour-worker/)
})

it('starts with scripts, not with modules, which Chromium compiles anew at every start', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../dist/renderer/index.html'), 'utf8')
  const tags = [...page.matchAll(/<script [^>]*>|<link rel="modulepreload"[^>]*>/g)].map(([tag]) => tag)
  expect(tags).toEqual([
    expect.stringMatching(/^<script src="\.\/assets\/start-link-[\w-]+\.js">$/),
    expect.stringMatching(/^<script defer src="\.\/assets\/start-react-[\w-]+\.js">$/),
    expect.stringMatching(/^<script defer src="\.\/assets\/start-screens-[\w-]+\.js">$/),
  ])
})

it('loads no schemas before the window can be drawn, since making them takes longer than drawing it', () => {
  const assets = path.resolve(import.meta.dirname, '../../dist/renderer/assets')
  for (const { name } of measureStart().scripts)
    expect(readFileSync(path.join(assets, name), 'utf8'), name).not.toContain('ZodObject')
})

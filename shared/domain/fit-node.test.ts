import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isFitNode, OLDEST_NODE } from './fit-node.ts'

const root = path.resolve(import.meta.dirname, '../..')

it.each([
  ['22.15.0', true],
  ['24.0.0', true],
  ['22.14.9', false],
  ['20.20.2', false],
  ['', false],
])('runs on Node %s: %s', (version, isFit) => {
  expect(isFitNode(version)).toBe(isFit)
})

it.each(['bin/handoff', 'scripts/fit-node.mjs'])('is said the same in %s', async (file) => {
  const text = await readFile(path.join(root, file), 'utf8')
  const [major = '', minor = ''] = OLDEST_NODE.split('.')
  const versions = new Set([...text.matchAll(/(\d+\.\d+) or newer/g)].map(([, version]) => version))
  expect([...versions]).toEqual([OLDEST_NODE])
  expect(text).toMatch(new RegExp(`=== ${major} && \\w+ >= ${minor}\\b`))
})

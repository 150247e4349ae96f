import { afterEach, expect, it, vi } from 'vitest'
import { tokensOfLine } from './colour-messages.ts'
import { colour } from './colour.ts'

const COMMENT = 3

afterEach(() => {
  vi.restoreAllMocks()
})

const kindsOf = async (lines: string[]) => {
  const answer = await colour({ id: 1, path: 'a.ts', lines })
  return lines.map((_, at) => new Set(tokensOfLine(answer, at).map(([, kind]) => kind)))
}

it('tells comments from code', async () => {
  const [comment, code] = await kindsOf(['/** Says hello. */', 'export const hello = 1'])
  expect(comment).toEqual(new Set([COMMENT]))
  expect(code).not.toContain(COMMENT)
})

it('ends a comment where it ends, however long the machine takes', async () => {
  // A second goes by with every look at the clock.
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1_000))
  const [comment, code] = await kindsOf(['/** Says hello. */', 'export const hello = 1'])
  expect(comment).toEqual(new Set([COMMENT]))
  expect(code).not.toContain(COMMENT)
  expect(code?.size).toBeGreaterThan(1)
})

import { expect, it } from 'vitest'
import { pieces } from './CodeText.tsx'

it('cuts a line where its colour or its mark changes, and covers all of it', () => {
  const found = pieces(10, [[4, 1], [6, 2]], [[2, 5], [8, 10]]) // prettier-ignore
  expect(found).toEqual([
    { from: 0, to: 2, kind: 1, isMarked: false },
    { from: 2, to: 4, kind: 1, isMarked: true },
    { from: 4, to: 5, kind: 2, isMarked: true },
    { from: 5, to: 8, kind: 2, isMarked: false },
    { from: 8, to: 10, kind: 2, isMarked: true },
  ])
})
it('has one piece without colours and marks, and none for an empty line', () => {
  expect(pieces(3, [], [])).toEqual([{ from: 0, to: 3, kind: 0, isMarked: false }])
  expect(pieces(0, [], [])).toEqual([])
})

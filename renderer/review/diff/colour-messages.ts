/** The kinds of words of one line: how long each piece is (UTF-16 units), and its kind, 0 for plain text. */
export type Tokens = readonly (readonly [length: number, kind: number])[]

/** Lines of one file that follow each other. */
export interface ColourRequest {
  id: number
  path: string
  lines: string[]
}

/**
 * Their kinds, as numbers that can be handed over without copying: `pairs` holds length and kind of one piece after the other,
 * `ends` where the pairs of each line end. Both are empty when there are none.
 */
export interface ColourAnswer {
  id: number
  pairs: Uint32Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
}

/** The pieces of the n-th line of an answer. */
export function tokensOfLine({ pairs, ends }: Pick<ColourAnswer, 'pairs' | 'ends'>, n: number): Tokens {
  const [from, to] = [n === 0 ? 0 : (ends[n - 1] ?? 0), ends[n] ?? 0]
  const tokens: [number, number][] = []
  for (let at = from; at < to; at += 2) tokens.push([pairs[at] ?? 0, pairs[at + 1] ?? 0])
  return tokens
}

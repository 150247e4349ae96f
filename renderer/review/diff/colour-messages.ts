/** The kinds of words of one line: how long each piece is (UTF-16 units), and its kind, 0 for plain text. */
export type Tokens = readonly (readonly [length: number, kind: number])[]

/** Lines of one file that follow each other. */
export interface ColourRequest {
  id: number
  path: string
  lines: string[]
}

/** Their kinds, one entry a line; empty when there are none. */
export interface ColourAnswer {
  id: number
  tokens: Tokens[]
}

/** A stretch of a text, and whether it is what makes the whole dangerous. */
export interface Piece {
  text: string
  isMarked: boolean
}

/** A half-open range of bytes in the UTF-8 form of a text. */
interface Span {
  startByte: number
  endByte: number
}

/**
 * A text cut at the ends of a span. A span that begins or ends inside a character takes the whole character in; one that lies
 * outside the text marks nothing. Together the pieces are the text, letter for letter.
 */
export function markedPieces(text: string, span: Span | undefined): Piece[] {
  if (span === undefined || span.endByte <= span.startByte) return plain(text)
  let byte = 0
  let start: number | undefined
  let end: number | undefined
  for (let index = 0; index < text.length && end === undefined;) {
    const code = text.codePointAt(index) ?? 0
    const next = byte + utf8Length(code)
    if (start === undefined && span.startByte < next) start = index
    index += code > 0xffff ? 2 : 1
    if (start !== undefined && span.endByte <= next) end = index
    byte = next
  }
  if (start === undefined) return plain(text)
  const to = end ?? text.length
  return [
    { text: text.slice(0, start), isMarked: false },
    { text: text.slice(start, to), isMarked: true },
    { text: text.slice(to), isMarked: false },
  ].filter((piece) => piece.text !== '')
}

function plain(text: string): Piece[] {
  return text === '' ? [] : [{ text, isMarked: false }]
}

/** Bytes of a code point; half a surrogate pair counts as the replacement character it is sent as. */
function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_0000 ? 3 : 4
}

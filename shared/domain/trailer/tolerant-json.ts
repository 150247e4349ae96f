/**
 * The object that a text means, forgiving what models do: raw line breaks inside strings and a comma before a closing
 * bracket. Undefined when it is no JSON object. Never throws; linear.
 */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parse(text) ?? parse(mended(text))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most texts that end in a brace are not JSON: the expected outcome.
    return undefined
  }
}

function mended(text: string): string {
  const parts: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (inString && char === '\\') parts.push(char, text[++at] ?? '')
    else if (char === '"') {
      inString = !inString
      parts.push(char)
    } else if (inString && char < ' ') parts.push(JSON.stringify(char).slice(1, -1))
    else parts.push(char)
    if (!inString && (char === '}' || char === ']')) dropCommaBeforeLast(parts)
  }
  return parts.join('')
}

/** Blanks a comma that stands before the bracket just pushed. */
function dropCommaBeforeLast(parts: string[]): void {
  let at = parts.length - 2
  while (at >= 0 && /^\s$/.test(parts[at] as string)) at--
  if (parts[at] !== ',') return
  parts.splice(at, parts.length - at, parts.at(-1) as string)
}

/**
 * How well an entry fits what was typed, from 0 (not at all) to 1: every typed word has to stand in it, at the beginning of a
 * word at best. Letters that are only somewhere in it do not count, or nearly every sentence would fit a short word.
 */
export function fit(entry: string, typed: string): number {
  const text = entry.toLowerCase()
  const beginnings = text.split(/[^\p{L}\p{N}]+/u)
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return words.reduce((score, word) => score * fitOf(word, text, beginnings), 1)
}

function fitOf(word: string, text: string, beginnings: readonly string[]): number {
  if (beginnings.some((one) => one.startsWith(word))) return 1
  return text.includes(word) ? 0.5 : 0
}

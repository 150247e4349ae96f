/** Splits at byte offsets of the UTF-8 form; offsets that are out of range or out of order are brought into it. */
export function splitAtBytes(
  text: string,
  { startByte, endByte }: { startByte: number; endByte: number },
): [string, string, string] {
  const bytes = Buffer.from(text, 'utf8')
  const start = Math.min(startByte, bytes.length)
  const end = Math.min(Math.max(endByte, start), bytes.length)
  return [
    bytes.subarray(0, start).toString('utf8'),
    bytes.subarray(start, end).toString('utf8'),
    bytes.subarray(end).toString('utf8'),
  ]
}

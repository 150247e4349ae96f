/** Splits a server-sent event stream into the text of its `data:` fields; anything else in it is skipped. */
export function createSseParser({
  maxEventChars,
  onData,
}: {
  maxEventChars: number
  onData(data: string): void
}): { push(text: string): void } {
  let buffer = ''
  let data: string[] = []
  let skipping = false

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
    } else if (text.startsWith('data:')) {
      data.push(text.slice(text.startsWith('data: ') ? 6 : 5))
    }
  }

  return {
    push(text) {
      buffer += text
      let end = buffer.indexOf('\n')
      while (end >= 0) {
        const whole = buffer.slice(0, end).replace(/\r$/, '')
        buffer = buffer.slice(end + 1)
        if (skipping) skipping = false
        else line(whole)
        end = buffer.indexOf('\n')
      }
      if (buffer.length > maxEventChars) {
        buffer = ''
        data = []
        skipping = true
      }
    },
  }
}

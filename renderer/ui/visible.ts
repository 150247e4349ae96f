// Control characters, and the marks that turn the reading direction: they can make a command look like another one.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

/** Text of a stranger with every invisible character made visible, as `⟨U+202E⟩`. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(
    INVISIBLE,
    (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** As `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s*\n\s*/g, ' ⏎ '))
}

import pc from 'picocolors'

/** Colours of the command line, or the same functions doing nothing. */
export type Style = ReturnType<typeof pc.createColors>

/** Colours only on a terminal, never with NO_COLOR (https://no-color.org) or --no-color; FORCE_COLOR wins over a missing terminal. */
export function createStyle({
  isTerminal,
  env,
  noColor,
}: {
  isTerminal: boolean
  env: Readonly<Record<string, string | undefined>>
  noColor: boolean
}): Style {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== '0'
  const refused =
    noColor || (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') || env['TERM'] === 'dumb'
  return pc.createColors(!refused && (isTerminal || forced))
}

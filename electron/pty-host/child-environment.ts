/** Names that are about this program or hold its secrets, and names of an outer terminal multiplexer. */
const NOT_FOR_CHILDREN =
  /^(?:ELECTRON_.*|NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|HANDOFF_.*|TMUX|TMUX_PANE|STY|WINDOWID|TERMCAP|COLUMNS|LINES)$/i

/** The environment a program in a pty gets: what was asked for, without what is nobody's business but ours. */
export function childEnvironment(asked: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !NOT_FOR_CHILDREN.test(name)))
}

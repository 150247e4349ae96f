/** What tmux and ssh need of a person's environment; nothing else goes along. */
const KEPT =
  /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LC_[A-Z]+|TMPDIR|TMUX_TMPDIR|XDG_[A-Z_]+|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|SSH_AGENT_PID|KRB5CCNAME|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|USERPROFILE)$/i
const UTF8 = /utf-?8/i

/** The environment in which a terminal of the desk attaches: colours, UTF-8, and the tmux server of `socketDir`. */
export function attachEnvironment(
  environment: NodeJS.ProcessEnv,
  socketDir: string | undefined,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && KEPT.test(name)) kept[name] = value
  // The first of these that is set decides, as POSIX says. tmux draws other scripts as underscores without UTF-8.
  const locale = kept['LC_ALL'] || kept['LC_CTYPE'] || kept['LANG'] || ''
  if (!UTF8.test(locale)) {
    delete kept['LC_ALL']
    kept['LC_CTYPE'] = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  }
  return {
    ...kept,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...(socketDir === undefined ? {} : { TMUX_TMPDIR: socketDir }),
  }
}

/** GIT_* variables that say how to reach a remote or who commits; every other GIT_* variable would redirect our calls. */
const KEPT = new Set([
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_PROXY_COMMAND',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GIT_SSL_NO_VERIFY',
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
])

/**
 * The environment every git process gets: the given one without inherited repository redirections (GIT_DIR,
 * GIT_INDEX_FILE … as set inside hooks), with a fixed language and no way to ask a person anything.
 */
export function gitEnvironment(inherited: NodeJS.ProcessEnv): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || name === 'LANGUAGE') continue
    if (name.startsWith('GIT_') && !KEPT.has(name)) continue
    result[name] = value
  }
  return {
    ...result,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Set but empty switches off core.askPass and SSH_ASKPASS windows too (git-credential, prompt.c).
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
    // Commits as they are, not as refs/replace shows them: only those exist elsewhere under the same name.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
  }
}

/**
 * Settings given on every command line. What a repository's own configuration could start (a file monitor, hooks,
 * background maintenance) stays off, so that reading a repository never runs code from it.
 */
export function gitSettings({ hooks }: { hooks: boolean }): string[] {
  const settings = [
    'core.quotePath=false',
    'core.fsmonitor=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'color.ui=false',
    'advice.detachedHead=false',
    'protocol.ext.allow=never',
    'submodule.recurse=false',
    'push.recurseSubmodules=no',
    // A host's clones are bare; people who set this to `explicit` mean foreign repositories inside their own.
    'safe.bareRepository=all',
    // Several tasks write refs at the same time: wait for each other instead of failing (milliseconds).
    'core.filesRefLockTimeout=5000',
    'core.packedRefsTimeout=10000',
    'log.showSignature=false',
    ...(hooks ? [] : ['core.hooksPath=/dev/null']),
  ]
  return settings.flatMap((setting) => ['-c', setting])
}

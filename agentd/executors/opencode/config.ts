import { askingPermission } from './permission-rules.ts'

type Json = Record<string, unknown>

/** Agents of opencode that are read-only by their nature; asking for everything would open them. */
const READ_ONLY_AGENTS: Json = {
  explore: { permission: { edit: 'deny' } },
  plan: { permission: { edit: { '*': 'deny', '.opencode/plans/*.md': 'ask' } } },
}

/** What the environment of a server is made from. */
export interface ServerEnvironmentNeeds {
  environment: Readonly<Record<string, string>>
  password: string
  model?: string | undefined
  /** Agents that need the rules under their own name because the user's configuration gives them rights of their own. */
  agents: readonly string[]
}

/**
 * The environment of a task's `opencode serve`. The user's global and project configuration stay in force (providers,
 * models, agents, MCP servers); a task configuration on top of them makes everything that acts ask. The password is a
 * secret.
 */
export function serverEnvironment(needs: ServerEnvironmentNeeds): Record<string, string> {
  // OPENCODE_PERMISSION would be merged after everything else, so it goes below our own rules here.
  const { OPENCODE_PERMISSION: permission, OPENCODE_CONFIG_CONTENT: content, ...kept } = needs.environment
  return {
    ...kept,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_SERVER_PASSWORD: needs.password,
    OPENCODE_SERVER_USERNAME: 'opencode',
    OPENCODE_CONFIG_CONTENT: JSON.stringify(taskConfig(needs, readJson(content), readJson(permission))),
  }
}

function taskConfig({ model, agents }: ServerEnvironmentNeeds, content: Json, permission: Json): Json {
  const rules = askingPermission()
  const named = Object.fromEntries(agents.map((name) => [name, { permission: rules }]))
  const ours: Json = {
    share: 'disabled',
    autoshare: false,
    autoupdate: false,
    // Denying one of two requests denies both; without this the turn would end although it was told to go on.
    experimental: { continue_loop_on_deny: true },
    permission: rules,
    agent: merge(named, READ_ONLY_AGENTS),
    ...(model === undefined ? {} : { model }),
  }
  return merge(merge(content, { permission }), ours)
}

/** `over` wins; a key that both have keeps its place, as in opencode's own merging. */
function merge(base: Json, over: Json): Json {
  const merged: Json = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What opencode could not read either counts as nothing. A bare word such as `"allow"` means every tool. */
function readJson(text: string | undefined): Json {
  if (text === undefined || text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return { '*': value }
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

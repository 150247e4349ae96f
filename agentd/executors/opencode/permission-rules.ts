import type { AgentInfo, PermissionRule } from './wire.ts'

/** Tools that only look, or only talk to the person; everything else an agent has must ask. */
const LOOKING = [
  'read',
  'list',
  'glob',
  'grep',
  'lsp',
  'skill',
  'task',
  'todoread',
  'todowrite',
  'question',
  'plan_enter',
  'plan_exit',
] as const

// opencode applies the last rule that matches, and merged configuration keeps the place of a key that was there before.
// A spelling that nobody else uses is a new key and stands last. `*` and `?` are opencode's wildcards.
const EVERYTHING = '**'
const ownSpelling = (tool: string) => `${tool.slice(0, -1)}?`
const OURS: ReadonlySet<string> = new Set([EVERYTHING, ...LOOKING.map(ownSpelling)])

/** The `permission` of a configuration that is merged over the user's: all that acts asks, sub-agents included. */
export function askingPermission(): Record<string, unknown> {
  const looking = LOOKING.filter((tool) => tool !== 'read').map((tool) => [ownSpelling(tool), 'allow'])
  return {
    [EVERYTHING]: 'ask',
    [ownSpelling('read')]: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
    ...Object.fromEntries(looking),
    external_directory: 'ask',
  }
}

/**
 * The rules for the task's own session, which stand above every configuration: what the agent's rules allow, asks
 * instead, unless it only looks. What they deny stays denied.
 */
export function sessionRules(agent: AgentInfo | undefined): PermissionRule[] {
  const rules: PermissionRule[] = [{ permission: '*', pattern: '*', action: 'allow' }]
  for (const rule of agent?.permission ?? []) if (!OURS.has(rule.permission)) rules.push(rule)
  return rules.flatMap(asking)
}

function asking(rule: PermissionRule): PermissionRule[] {
  if (rule.action !== 'allow' || looks(rule)) return [rule]
  const covered = LOOKING.filter((tool) => matches(rule.permission, tool))
  return [{ ...rule, action: 'ask' }, ...covered.map((tool) => ({ ...rule, permission: tool }))]
}

/** Names of the agents that could still act without asking under the rules that the running server has. */
export function unguardedAgents(agents: readonly AgentInfo[]): string[] {
  return agents
    .filter((agent) => agent.hidden !== true && mayAct(agent.permission))
    .map((agent) => agent.name)
}

function mayAct(rules: readonly PermissionRule[]): boolean {
  return rules.some((rule, index) => {
    if (rule.action !== 'allow' || looks(rule)) return false
    return !rules.slice(index + 1).some((later) => covers(later, rule) && later.action !== 'allow')
  })
}

/** opencode itself opens its own folders (tool output, skills) by pattern; only a blanket opening is of interest. */
function looks({ permission, pattern }: PermissionRule): boolean {
  if (permission === 'external_directory') return pattern !== '*' && pattern !== '**'
  return LOOKING.some((tool) => permission === tool || permission === ownSpelling(tool))
}

function covers(later: PermissionRule, earlier: PermissionRule): boolean {
  const everything = later.permission === '*' || later.permission === EVERYTHING
  const anyPattern = later.pattern === '*' || later.pattern === '**' || later.pattern === earlier.pattern
  return anyPattern && (everything || later.permission === earlier.permission)
}

function matches(wildcard: string, name: string): boolean {
  const source = wildcard
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(name)
}

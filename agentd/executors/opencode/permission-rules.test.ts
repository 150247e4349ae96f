import { describe, expect, it } from 'vitest'
import { askingPermission, sessionRules, unguardedAgents } from './permission-rules.ts'
import type { AgentInfo, PermissionRule } from './wire.ts'

const rule = (permission: string, action: PermissionRule['action'], pattern = '*'): PermissionRule => ({
  permission,
  pattern,
  action,
})
const agent = (permission: PermissionRule[], more: Partial<AgentInfo> = {}): AgentInfo => ({
  name: 'build',
  mode: 'primary',
  hidden: undefined,
  permission,
  ...more,
})

/** As opencode decides: the last rule whose permission and pattern match. */
function decide(rules: PermissionRule[], permission: string, pattern: string) {
  const matches = (wildcard: string, text: string) =>
    new RegExp(
      `^${wildcard
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
      's',
    ).test(text)
  return rules.findLast((entry) => matches(entry.permission, permission) && matches(entry.pattern, pattern))
    ?.action
}

/** The rules of an agent after our configuration was merged over the user's. */
const ours = Object.entries(askingPermission()).flatMap(([permission, value]) =>
  typeof value === 'string'
    ? [rule(permission, value as PermissionRule['action'])]
    : Object.entries(value as Record<string, PermissionRule['action']>).map(([pattern, action]) =>
        rule(permission, action, pattern),
      ),
)

describe('the permission of a task', () => {
  it('asks for what acts and lets what looks pass, over whatever was allowed before', () => {
    const rules = [rule('*', 'allow'), rule('bash', 'allow', 'git *'), rule('my_mcp_*', 'allow'), ...ours]
    for (const [tool, subject] of [
      ['bash', 'git push'],
      ['edit', 'a.ts'],
      ['webfetch', 'http://x'],
      ['my_mcp_delete', '*'],
      ['read', '.env'],
      ['external_directory', '/etc/*'],
    ] as const)
      expect(decide(rules, tool, subject)).toBe('ask')
    for (const tool of ['read', 'grep', 'glob', 'list', 'task', 'todowrite', 'question'])
      expect(decide(rules, tool, 'a.ts')).toBe('allow')
    expect(unguardedAgents([agent(rules)])).toEqual([])
  })

  it('keeps what the user forbids', () => {
    const rules = sessionRules(
      agent([
        rule('*', 'allow'),
        rule('read', 'allow'),
        rule('bash', 'allow'),
        rule('bash', 'deny', 'rm *'),
        rule('read', 'deny', 'keys/*'),
        ...ours,
      ]),
    )
    expect(decide(rules, 'bash', 'rm -rf x')).toBe('deny')
    expect(decide(rules, 'bash', 'ls')).toBe('ask')
    expect(decide(rules, 'read', 'keys/id')).toBe('deny')
    expect(decide(rules, 'read', 'a.ts')).toBe('allow')
    expect(decide(rules, 'edit', 'a.ts')).toBe('ask')
  })

  it('asks when nothing is known of the agent', () => {
    expect(decide(sessionRules(undefined), 'bash', 'ls')).toBe('ask')
    expect(decide(sessionRules(undefined), 'grep', 'x')).toBe('allow')
  })

  it('finds agents that have rights of their own after ours', () => {
    const free = agent([...ours, rule('bash', 'allow', 'git *')], { name: 'free' })
    const wide = agent([...ours, rule('external_directory', 'allow')], { name: 'wide' })
    const hidden = agent([rule('*', 'allow')], { name: 'title', hidden: true })
    expect(unguardedAgents([free, wide, hidden, agent(ours)])).toEqual(['free', 'wide'])
  })
})

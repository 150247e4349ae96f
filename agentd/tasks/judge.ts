import { ruleCovers, suggestRule } from '../../shared/domain/risk-rule.ts'
import { assessCommand, assessFetch, assessFileEdit } from '../../shared/domain/risk.ts'
import type { RiskContext, RiskVerdict, ShellParser } from '../../shared/domain/risk/types.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { PermissionAsk, Risk } from '../../shared/domain/ticket.ts'

/** What the engine asks about a request: how risky it is, and which rules go with it. */
export interface Judge {
  permission(task: Task, ask: Omit<PermissionAsk, 'kind' | 'risk'>, cwd?: string): Risk
  /** Whether a rule's pattern covers this request. */
  covers(pattern: string, task: Task, ask: Pick<PermissionAsk, 'action' | 'text'>): boolean
  /** A readable pattern that covers this request and its near relatives. */
  suggest(task: Task, ask: Pick<PermissionAsk, 'action' | 'text'>): string | undefined
}

/** Every file of the worktree; the only pattern for edits, since what lies outside is dangerous anyway. */
const ANY_EDIT = 'any file of the worktree'

/** Judges requests by the grammar of shared/domain/risk.ts. What it has no reader for is dangerous. */
export function createJudge({ parse, home }: { parse: ShellParser; home: string }): Judge {
  const contextOf = (task: Task): RiskContext => ({ worktree: task.worktree, home, branch: task.branch })
  return {
    permission(task, ask, cwd) {
      const context = { ...contextOf(task), ...(cwd === undefined ? {} : { cwd }) }
      switch (ask.action) {
        case 'command':
          return toRisk(assessCommand(ask.text, context, parse))
        case 'edit':
          return toRisk(assessFileEdit(ask.text, context))
        case 'fetch':
          return toRisk(assessFetch(ask.text))
        case 'outside':
          return {
            level: 'dangerous',
            reason: 'outside_worktree',
            sentence: 'Reaches a folder outside the worktree.',
          }
        case 'other':
          return {
            level: 'dangerous',
            reason: 'unreadable',
            sentence: 'Handoff cannot read this kind of request.',
          }
      }
    },
    covers(pattern, task, ask) {
      if (ask.action === 'command') return ruleCovers(pattern, ask.text, parse, contextOf(task))
      if (ask.action === 'edit') return pattern === ANY_EDIT
      if (ask.action === 'fetch') return pattern === originPattern(ask.text)
      return false
    },
    suggest(task, ask) {
      if (ask.action === 'command') return suggestRule(ask.text, parse, contextOf(task))
      if (ask.action === 'edit') return ANY_EDIT
      if (ask.action === 'fetch') return originPattern(ask.text)
      return undefined
    },
  }
}

function originPattern(url: string): string | undefined {
  return URL.canParse(url) ? `${new URL(url).origin}/*` : undefined
}

function toRisk(verdict: RiskVerdict): Risk {
  if (verdict.level === 'routine') return { level: 'routine' }
  const { startByte, endByte } = verdict.span
  return {
    level: 'dangerous',
    reason: verdict.reason,
    sentence: verdict.sentence,
    span: { startByte, endByte },
  }
}

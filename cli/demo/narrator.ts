import type { JsonOut } from '../json-shapes.ts'
import type { Output } from '../output/output.ts'
import { wrap } from '../output/wrap.ts'

/** The steps that the demo must have seen, in the order in which they usually come. */
export const STEPS = [
  'dispatch',
  'wait',
  'permission_once',
  'question',
  'permission_remember',
  'rule_applied',
  'dangerous_refused',
  'dangerous_person',
  'completed',
  'diff',
  'continue',
  'second_round',
  'done',
  'audit',
] as const
export type StepName = (typeof STEPS)[number]

/** Tells the story, and keeps which steps were really seen. */
export interface Narrator {
  /** Says what happens now and which command does the same. */
  explain(title: string, text: string, command?: string): Promise<void>
  /** Notes a step with what was seen of it. */
  seen(step: StepName, facts: Record<string, unknown>, command?: string): Promise<void>
  /** What was not seen. */
  missing(): StepName[]
}

/** Speaks to a person, or one JSON line a step. */
export function createNarrator(out: Output): Narrator {
  const done = new Set<StepName>()
  let chapter = 0
  return {
    async explain(title, text, command) {
      if (out.json) return
      chapter += 1
      const { bold, cyan, dim } = out.style
      await out.line(`\n${cyan(bold(`${chapter}. ${title}`))}`)
      for (const line of wrap(text, Math.min(out.columns, 96) - 3)) await out.line(`   ${line}`)
      if (command !== undefined) await out.line(`   ${dim('$')} ${bold(command)}`)
    },
    async seen(step, facts, command) {
      // A step that comes again (another agent asks more often) is one line all the same.
      if (done.has(step) && out.json) return
      done.add(step)
      const line: JsonOut<'demo'> = {
        v: 1,
        step,
        ok: true,
        seen: facts,
        ...(command === undefined ? {} : { command }),
      }
      if (out.json) return out.jsonLine(line)
      await out.line(`   ${out.style.green('✓')} ${stepWords(step, facts)}`)
    },
    missing: () => STEPS.filter((step) => !done.has(step)),
  }
}

/** A step as the person reads it; programs get the facts. */
function stepWords(step: StepName, facts: Record<string, unknown>): string {
  const fact = (name: string) => String(facts[name] ?? '')
  switch (step) {
    case 'dispatch':
      return `task ${fact('task')}, on branch ${fact('branch')}`
    case 'wait':
      return `woken by a ${fact('event').replace(/_/g, ' ')}`
    case 'permission_once':
    case 'question':
    case 'dangerous_person':
      return 'answered, and delivered to the executor'
    case 'permission_remember':
      return `the rule is saved: ${fact('rule')}`
    case 'rule_applied':
      return 'wanted a third time, and the rule answered: nobody was asked'
    case 'dangerous_refused':
      return `refused [${fact('code')}]`
    case 'completed':
    case 'second_round':
      return `commit ${fact('commit')} is in the repository`
    case 'diff':
      return `${fact('lines')} lines`
    case 'continue':
      return `round ${fact('round')} has begun`
    case 'done':
      return `branch ${fact('branch')}, worktree ${fact('worktree')}`
    case 'audit':
      return `${fact('decisions')} entries`
  }
}

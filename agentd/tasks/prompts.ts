import type { Task } from '../../shared/domain/task.ts'
import { answerForExecutor } from '../../shared/domain/task-state/answering.ts'
import type { Answer, Ticket } from '../../shared/domain/ticket.ts'
import { trailerInstructions } from '../../shared/domain/trailer.ts'

/** The first prompt of a task: the plan and how a round ends. */
export function firstPrompt(task: Task, plan: string): string {
  return [
    'Carry out the plan below in the current directory. It is a git worktree made for this task alone.',
    `# Plan\n\n${plan.trim()}`,
    trailerInstructions(task),
  ].join('\n\n')
}

/** The prompt of a further round: what the reviewer wants changed. */
export function continuePrompt(task: Pick<Task, 'branch'>, text: string): string {
  return [
    'The reviewer looked at your work and sends it back with this instruction:',
    text.trim(),
    trailerInstructions(task),
  ].join('\n\n')
}

/** The prompt that carries the answer to a question asked in a trailer. */
export function answerPrompt(task: Task, ticket: Ticket, answer: Answer): string {
  const words =
    answer.kind === 'deny' ? answerForExecutor(answer) : `The answer: ${answerForExecutor(answer)}`
  return [`You asked: ${ticket.ask.text}`, words, trailerInstructions(task)].join('\n\n')
}

/** What the audit log keeps of an answer beside the name of the decision. */
export function answerDetail(answer: Answer): string {
  switch (answer.kind) {
    case 'approve':
      return 'approved'
    case 'done':
      return 'done'
    case 'deny':
      return answer.message ?? ''
    case 'text':
    case 'continue':
      return answer.text
    case 'options':
      return answer.labels.join(', ')
  }
}

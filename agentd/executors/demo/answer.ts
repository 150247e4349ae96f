import type { Step } from './plan.ts'

const MAX_CHARS = 200

/**
 * The step with the last answer to a question in the place of `{answer}`, and as a string of JavaScript in the place of
 * `{'answer'}`. An answer becomes one line of at most 200 characters; before the first one the step stays as it is.
 */
export function withAnswer(step: Step, answer: string | undefined): Step {
  if (answer === undefined) return step
  const line = answer.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS)
  const quoted = `'${line.replace(/[\\']/g, String.raw`\$&`)}'`
  const fill = (text: string) => text.replace(/\{(')?answer\1\}/g, (_, quote) => (quote ? quoted : line))
  switch (step.kind) {
    case 'say':
    case 'write':
    case 'append':
    case 'edit':
      return { ...step, text: fill(step.text) }
    case 'commit':
      return step.message === undefined ? step : { ...step, message: fill(step.message) }
    default:
      return step
  }
}

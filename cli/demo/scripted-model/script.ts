/** A tool call that the model makes. `input` (plain text) is for tools that take no JSON. */
export interface ScriptedCall {
  name: string
  args?: Record<string, unknown>
  input?: string
}

/** One reply of the model. */
export interface ScriptedStep {
  /** The final text, or what is said before the calls. */
  text?: string
  /** Several calls in one step are parallel calls. */
  calls?: readonly ScriptedCall[]
  /** Pause before the reply starts. */
  delayMs?: number
  /** Sends the text, then keeps the reply open until the client goes away. */
  hang?: boolean
  /** Answers with this HTTP status instead of a reply. */
  status?: number
  error?: string
  retryAfterSeconds?: number
  /** With `status`: how many requests fail before the step is answered properly. Without it all fail. */
  failures?: number
}

/** What the model does after a prompt that `match` (a regular expression) fits; the last step repeats. */
export interface ScriptedRule {
  match: string
  steps: readonly [ScriptedStep, ...ScriptedStep[]]
}

/**
 * A scripted model. The first rule that fits the last prompt of a person counts, and the step is the number of replies
 * since then, so that the conversation itself is the only memory. `{{name}}` in a step is replaced from `vars`,
 * `$1`–`$9` from the groups of `match`. `{{answer}}` is what the last question was answered with, fit for a string of JavaScript in
 * a shell's single quotes whose backslashes are read once more (`printf %b`); before that it comes from `vars` too.
 */
export interface ModelScript {
  rules: readonly ScriptedRule[]
  vars?: Readonly<Record<string, string>>
}

/** What a request asks for: the prompt, and how often the model has replied to it. `helper` is a call without tools. */
export interface Asked {
  prompt: string
  replies: number
  helper: boolean
  /** What the tools have answered since the prompt, oldest first. */
  results: readonly string[]
}

/** The result of opencode's question tool (1.18.33) for one question. */
const ANSWER = /^User has answered your questions: ".*?"="(.*)"\. You can now continue/s

/** A string's inside in which no shell, no printf and no JavaScript reads anything but letters. */
function escaped(text: string): string {
  const code = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0')
  return text
    .slice(0, 200)
    .replace(/[^\p{L}\p{N}\p{M} ,.!?-]/gu, (sign) =>
      Array.from({ length: sign.length }, (_, at) => `\\\\u${code(sign.slice(at))}`).join(''),
    )
}

/** The step that answers a request, and the rule it comes from. */
export function chooseStep(script: ModelScript, { prompt, replies, results }: Asked): ScriptedStep {
  const answer = results.flatMap((result) => ANSWER.exec(result)?.[1] ?? []).at(-1)
  const vars = { ...script.vars, ...(answer === undefined ? {} : { answer: escaped(answer) }) }
  for (const { match, steps } of script.rules) {
    const found = new RegExp(match, 's').exec(prompt)
    if (found === null) continue
    const step = steps[Math.min(replies, steps.length - 1)] ?? steps[0]
    return fill(step, vars, found) as ScriptedStep
  }
  return { text: `The script has no rule for: ${prompt.slice(0, 80)}` }
}

function fill(value: unknown, vars: Readonly<Record<string, string>>, found: RegExpExecArray): unknown {
  if (typeof value === 'string')
    return value
      .replace(/\{\{(\w+)\}\}/g, (whole, name: string) => vars[name] ?? whole)
      .replace(/\$([1-9])/g, (whole, group: string) => found[Number(group)] ?? whole)
  if (Array.isArray(value)) return value.map((item) => fill(item, vars, found))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, vars, found)]))
  return value
}

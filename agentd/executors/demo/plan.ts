/** One thing the demo executor does. */
export type Step =
  | { kind: 'section'; title: string }
  | { kind: 'say'; text: string }
  | { kind: 'write'; path: string; text: string }
  | { kind: 'append'; path: string; text: string }
  | { kind: 'run'; command: string }
  /** Asks for all of them at once and goes on when each is answered. */
  | { kind: 'permission'; commands: { command: string; why?: string }[] }
  | { kind: 'question'; text: string; options: string[]; topic: 'technical' | 'product' }
  | { kind: 'commit'; message?: string }
  | { kind: 'sleep'; ms: number }
  | { kind: 'progress'; count: number }
  | { kind: 'big-output' }
  | { kind: 'fail-turn'; message: string }
  | { kind: 'crash' }
  | { kind: 'hang' }
  | { kind: 'no-trailer' }
  | { kind: 'ask'; text: string }
  | { kind: 'setsid-child' }
  /** Asks before it writes a file, with the change as a diff. */
  | { kind: 'edit'; path: string; text: string }
  /** Closes its socket and lives on, as a program that got stuck would. */
  | { kind: 'hang-up' }

/** A text read for the demo: what to do, and whether without the pauses that make it pleasant to watch. */
export interface Script {
  steps: Step[]
  fast: boolean
  /** Whether the text had directives, or only prose that `steps` of a default story have to be made from. */
  scripted: boolean
}

const DIRECTIVE = /^\s*(?:[-*]\s+)?demo:\s*([a-z][a-z-]*)\s*(.*)$/

/**
 * Reads lines such as `demo: ask-permission npm test` out of a plan or an instruction. docs/demo.md lists them.
 * An unknown directive becomes a sentence on the screen, so that a typing error is seen.
 */
export function readScript(text: string): Script {
  const script: Script = { steps: [], fast: false, scripted: false }
  for (const line of text.split(/\r?\n/)) {
    const match = DIRECTIVE.exec(line)
    if (match === null) continue
    const [, name = '', rest = ''] = match
    if (name === 'fast') {
      script.fast = true
      continue
    }
    script.scripted = true
    script.steps.push(stepOf(name, rest.trim()))
  }
  return script
}

function stepOf(name: string, rest: string): Step {
  switch (name) {
    case 'say':
      return { kind: 'say', text: rest }
    case 'run':
      return { kind: 'run', command: rest }
    case 'ask-permission':
      return { kind: 'permission', commands: [{ command: rest }] }
    case 'ask-permission-two':
      return {
        kind: 'permission',
        commands: rest.split(' | ').map((command) => ({ command: command.trim() })),
      }
    case 'question':
      return questionOf(rest)
    case 'commit':
      return { kind: 'commit', ...(rest === '' ? {} : { message: rest }) }
    case 'sleep':
      return { kind: 'sleep', ms: numberOf(rest, 10 * 60_000) }
    case 'progress':
      return { kind: 'progress', count: numberOf(rest, 100_000) }
    case 'write':
    case 'append':
      return fileOf(name, rest)
    case 'ask-edit':
      return fileOf('edit', rest)
    case 'fail-turn':
      return { kind: 'fail-turn', message: rest || 'The plan says that this turn fails.' }
    case 'ask':
      return { kind: 'ask', text: rest }
    case 'crash':
    case 'hang':
    case 'no-trailer':
    case 'big-output':
    case 'setsid-child':
    case 'hang-up':
      return { kind: name }
    default:
      return { kind: 'say', text: `The demo executor does not know the directive "${name}".` }
  }
}

function questionOf(rest: string): Step {
  const match = /^(.*?)(?:\s*\[([^\]]*)\])?(?:\s+(product|technical))?$/.exec(rest)
  const [, text = rest, options = '', topic = 'technical'] = match ?? []
  return {
    kind: 'question',
    text: text.trim(),
    options: options.split('|').flatMap((option) => (option.trim() === '' ? [] : [option.trim()])),
    topic: topic === 'product' ? 'product' : 'technical',
  }
}

function fileOf(kind: 'write' | 'append' | 'edit', rest: string): Step {
  const [path = '', ...words] = rest.split(' ')
  return { kind, path, text: `${words.join(' ').replaceAll('\\n', '\n')}\n` }
}

function numberOf(text: string, max: number): number {
  const value = Number(text)
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), max) : 0
}

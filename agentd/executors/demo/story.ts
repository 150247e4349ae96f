import type { Step } from './plan.ts'

const MAX_ITEMS = 12
const MAX_NOTES = 40
const MAX_ITEM_CHARS = 200
const LIST_LINE = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/
const REPORT = 'HANDOFF_DEMO.md'

/** The list lines of a plan (`- `, `* `, `1. `, `- [ ] `), or its first sentence when it has none. */
export function planItems(plan: string): string[] {
  const lines = plan.split(/\r?\n/)
  const items = lines.flatMap((line) => {
    const match = LIST_LINE.exec(line)
    return match?.[1] === undefined || /^demo:/.test(match[1])
      ? []
      : [match[1].trim().slice(0, MAX_ITEM_CHARS)]
  })
  if (items.length > 0) return items.slice(0, MAX_ITEMS)
  const prose = lines.map((line) => line.trim()).find((line) => line !== '' && !/^(#|demo:)/.test(line))
  return [(prose ?? 'Look around and leave a note').slice(0, MAX_ITEM_CHARS)]
}

/** What the demo does with a plan of prose: every list line becomes a piece of real work in the worktree. */
export function planStory({
  title,
  plan,
  scratch,
}: {
  title: string
  plan: string
  scratch: string
}): Step[] {
  const items = planItems(plan)
  return [
    { kind: 'section', title: 'Looking around' },
    { kind: 'run', command: 'git status --short --branch' },
    { kind: 'run', command: 'ls' },
    { kind: 'section', title: 'Carrying out the plan' },
    { kind: 'write', path: REPORT, text: `# ${title}\n\nDone by the demo executor, step by step.\n\n` },
    ...items.flatMap((item, index): Step[] => [
      { kind: 'say', text: `Step ${index + 1} of ${items.length}: ${item}` },
      { kind: 'append', path: REPORT, text: `- [x] ${item}\n` },
    ]),
    { kind: 'write', path: 'handoff-demo/steps.mjs', text: sourceOf(items) },
    { kind: 'write', path: 'handoff-demo/steps.test.mjs', text: testOf(items.length) },
    ...askingSteps(scratch),
    { kind: 'section', title: 'Handing over' },
    { kind: 'commit', message: `Demo: ${title}` },
  ]
}

function askingSteps(scratch: string): Step[] {
  const tidyUp = `rm -rf ${scratch}`
  return [
    { kind: 'section', title: 'A question to the reviewer' },
    {
      kind: 'question',
      text: 'Should the report end with a table of the files, or stay short?',
      options: ['short', 'table'],
      topic: 'technical',
    },
    { kind: 'section', title: 'Checking the work' },
    {
      kind: 'permission',
      commands: [{ command: 'node --test handoff-demo/steps.test.mjs', why: 'Runs the test that I wrote.' }],
    },
    { kind: 'section', title: 'Tidying up' },
    {
      kind: 'permission',
      commands: [{ command: tidyUp, why: 'Removes a scratch folder that I made outside the worktree.' }],
    },
  ]
}

/** The instruction in a further prompt: agentd puts a sentence before it, and how a round ends behind it. */
export function instructionOf(prompt: string): string {
  const end = prompt.lastIndexOf('\n\n# How to work here\n')
  const said = end === -1 ? prompt : prompt.slice(0, end)
  const begin = /^[^\n]*:\n\n/.exec(said)?.[0].length ?? 0
  return said.slice(begin).trim()
}

/** What the demo does with a further instruction: it notes all of it, a line an item, and answers with a commit. */
export function continueStory(instruction: string): Step[] {
  const lines = instruction.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const notes = lines.slice(0, MAX_NOTES).map(note)
  if (lines.length > MAX_NOTES) notes.push(`- … ${lines.length - MAX_NOTES} more lines`)
  // What only leads to something, such as the place of a comment, does not say what is wanted.
  const wish =
    lines.find((line) => !line.startsWith('>') && !line.endsWith(':')) ?? lines[0] ?? 'Another look'
  const first = (LIST_LINE.exec(wish)?.[1] ?? wish).slice(0, MAX_ITEM_CHARS)
  return [
    { kind: 'section', title: 'Another round' },
    { kind: 'say', text: `The reviewer says: ${first}` },
    { kind: 'append', path: REPORT, text: `\n## Another round\n\n${notes.join('\n')}\n` },
    { kind: 'run', command: 'git diff --stat' },
    { kind: 'commit', message: `Demo: ${first}` },
  ]
}

/** A quotation stays one, below the line that it belongs to. */
function note(line: string): string {
  if (line.startsWith('>')) return `  ${line.slice(0, MAX_ITEM_CHARS)}`
  return `- [x] ${(LIST_LINE.exec(line)?.[1] ?? line).slice(0, MAX_ITEM_CHARS)}`
}

/** What answering the default story's question adds to the report. */
export function answerNote(question: string, answer: string): Step {
  const table = '\n| file | what it is |\n| --- | --- |\n| handoff-demo/steps.mjs | the steps as data |\n'
  const text = `\n> ${question}\n> ${answer.replaceAll('\n', '\n> ')}\n`
  return { kind: 'append', path: REPORT, text: answer === 'table' ? `${text}${table}` : text }
}

function sourceOf(items: string[]): string {
  return `/** The steps of the plan, as the demo executor carried them out. */\nexport const steps = ${JSON.stringify(items, null, 2)}\n`
}

function testOf(count: number): string {
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { steps } from './steps.mjs'",
    '',
    "test('every step of the plan is there', () => {",
    `  assert.equal(steps.length, ${count})`,
    '})',
    '',
  ].join('\n')
}

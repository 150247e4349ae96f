import type { Step } from './plan.ts'

const MAX_ITEMS = 12
const REPORT = 'HANDOFF_DEMO.md'

/** The list lines of a plan (`- `, `* `, `1. `, `- [ ] `), or its first sentence when it has none. */
export function planItems(plan: string): string[] {
  const lines = plan.split(/\r?\n/)
  const items = lines.flatMap((line) => {
    const match = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)
    return match?.[1] === undefined || /^demo:/.test(match[1]) ? [] : [match[1].trim().slice(0, 200)]
  })
  if (items.length > 0) return items.slice(0, MAX_ITEMS)
  const prose = lines.map((line) => line.trim()).find((line) => line !== '' && !/^(#|demo:)/.test(line))
  return [(prose ?? 'Look around and leave a note').slice(0, 200)]
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

/** What the demo does with a further instruction: it notes it and answers with a commit. */
export function continueStory(instruction: string): Step[] {
  const [first = 'Another look'] = planItems(instruction)
  return [
    { kind: 'section', title: 'Another round' },
    { kind: 'say', text: `The reviewer says: ${first}` },
    { kind: 'append', path: REPORT, text: `\n## Another round\n\n- [x] ${first}\n` },
    { kind: 'run', command: 'git diff --stat' },
    { kind: 'commit', message: `Demo: ${first}` },
  ]
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

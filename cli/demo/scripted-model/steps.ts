import { OPTIONS, QUESTION, TEST, TEST_COMMAND } from '../../../shared/node/demo/plan.ts'

// The model writes it before it asks; what it asks for is what it has written.
const GREET = "export function greet(name = 'world') {\\n  return `Hello, ${name}!`\\n}"

/** What the scripted model of `--executor opencode` has to do, in the words of that agent's tools. */
export function modelSteps(outside: string) {
  const bash = (command: string) => ({ name: 'bash', args: { command, description: 'Work on the greeting' } })
  const write = `printf '%b' ${quote(`${GREET}\\n`)} > greet.mjs`
  const test = `printf '%b' ${quote(`${TEST}\\n`)} > greet.test.mjs`
  const question = {
    name: 'question',
    args: {
      questions: [
        {
          question: QUESTION,
          header: 'Greeting',
          options: OPTIONS.map((label) => ({ label, description: label })),
          multiple: false,
        },
      ],
    },
  }
  return {
    first: [
      { text: 'I write the code and its test.', calls: [bash(`${write} && ${test}`)] },
      { calls: [question] },
      { calls: [bash(TEST_COMMAND)] },
      { calls: [bash(TEST_COMMAND)] },
      { calls: [bash(`rm -rf ${outside}`)] },
      { calls: [bash("git add -A && git commit -m 'Greet people by their name'")] },
      { text: 'The greeting takes a name.' },
    ],
    second: [
      {
        calls: [
          bash("printf '\\nUse it: greet(name)\\n' >> README.md && git commit -am 'Say how it is used'"),
        ],
      },
      { text: 'The README says how it is used.' },
    ],
  } as const
}

function quote(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}

import {
  GREET_ANSWERED,
  OPTIONS,
  QUESTION,
  TEST,
  TEST_ANSWERED,
  TEST_COMMAND,
} from '../../../shared/node/demo/plan.ts'

/** What the script's `{{answer}}` is until the question is answered, and when it is turned down. */
export const FIRST_ANSWER = OPTIONS[0]

const answered = (text: string) => text.replaceAll("{'answer'}", "'{{answer}}'")

/** What the scripted model of `--executor opencode` has to do, in the words of that agent's tools. */
export function modelSteps(outside: string) {
  const bash = (command: string) => ({ name: 'bash', args: { command, description: 'Work on the greeting' } })
  const write = `printf '%b' ${quote(`${answered(GREET_ANSWERED)}\\n`)} > greet.mjs`
  const test = `printf '%b' ${quote(`${TEST}\\n${answered(TEST_ANSWERED)}\\n`)} > greet.test.mjs`
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
      { text: 'I ask what the plan leaves open.', calls: [question] },
      { text: 'I write the code and its test.', calls: [bash(`${write} && ${test}`)] },
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

/** The greeting program that the demo's repository begins with. */
export const REPOSITORY_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Greeter\n\nGreets people.\n',
  'greet.mjs': "export function greet() {\n  return 'Hello!'\n}\n",
}

const TEST_COMMAND = 'node --test greet.test.mjs'
const QUESTION = 'How shall a greeting without a name read?'
const OPTIONS = ['Hello, world!', 'Hello, stranger!'] as const

const GREET = "export function greet(name = 'world') {\\n  return `Hello, ${name}!`\\n}"
const TEST =
  "import assert from 'node:assert/strict'\\nimport { test } from 'node:test'\\nimport { greet } from './greet.mjs'\\n\\ntest('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'))"

/** What the continued round is asked for. */
export const CONTINUE_TEXT = `Also write down in the README how it is used.
demo: append README.md \\nUse it: \`greet('Ada')\`
demo: commit Say in the README how it is used`

/**
 * The plan of the demo. The scripted executor reads the `demo:` lines; the scripted model of opencode knows the title.
 * `outside` is a folder beside the worktree whose deletion is the dangerous request.
 */
export function demoPlan({ outside, pace }: { outside: string; pace: 'watch' | 'fast' }): string {
  return `# Greet people by their name

The program greets everybody alike. Make it take a name, and prove it with a test.

- \`greet(name)\` returns \`Hello, <name>!\`
- ask how a greeting without a name shall read
- a test for it, in greet.test.mjs

<!-- What the demo executor does, step by step: -->
${pace === 'fast' ? 'demo: fast\n' : ''}demo: say I read the code first.
demo: write greet.mjs ${GREET}
demo: write greet.test.mjs ${TEST}
demo: ask-permission ${TEST_COMMAND}
demo: question ${QUESTION} [${OPTIONS.join('|')}]
demo: ask-permission ${TEST_COMMAND}
demo: ask-permission ${TEST_COMMAND}
demo: ask-permission rm -rf ${outside}
demo: commit Greet people by their name
`
}

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

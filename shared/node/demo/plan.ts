/** The greeting program that the demo's repository begins with. */
export const REPOSITORY_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Greeter\n\nGreets people.\n',
  'greet.mjs': "export function greet() {\n  return 'Hello!'\n}\n",
}

/** Runs the test that the plan asks for; routine. */
export const TEST_COMMAND = 'node --test greet.test.mjs'
/** What the plan leaves open. */
export const QUESTION = 'How shall a greeting without a name read?'
/** The answers that are offered to it. */
export const OPTIONS = ['Hello, world!', 'Hello, stranger!'] as const

/** The program that greets by name, with `\\n` for line breaks as the demo executor reads them. */
const GREET_BY_NAME = 'export function greet(name) {\\n  return `Hello, ${name}!`\\n}'
/** The finished program: without a name it says what the person chose, which stands for `{'answer'}`. */
export const GREET_ANSWERED =
  "export function greet(name) {\\n  return name === undefined ? {'answer'} : `Hello, ${name}!`\\n}"
/** What the person chose, as a test, written the same way. */
export const TEST_ANSWERED = "\\ntest('greets without a name', () => assert.equal(greet(), {'answer'}))"
/** The test of the greeting by name, written the same way. */
export const TEST =
  "import assert from 'node:assert/strict'\\nimport { test } from 'node:test'\\nimport { greet } from './greet.mjs'\\n\\ntest('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'))"

/** What the continued round is asked for. */
export const CONTINUE_TEXT = `Also write down in the README how it is used.
demo: append README.md \\nUse it: \`greet('Ada')\`
demo: commit Say in the README how it is used`

const intro = `# Greet people by their name

The program greets everybody alike. Make it take a name, and prove it with a test.

- \`greet(name)\` returns \`Hello, <name>!\`
- ask how a greeting without a name shall read
- a test for it, in greet.test.mjs

What the demo executor does, step by step:`

/**
 * The plan of the demo. The scripted executor reads the `demo:` lines; the scripted model of opencode knows the title.
 * `outside` is a folder beside the worktree whose deletion is the dangerous request.
 */
export function demoPlan({ outside, pace }: { outside: string; pace: 'watch' | 'fast' }): string {
  return `${intro}

\`\`\`text
${pace === 'fast' ? 'demo: fast\n' : ''}demo: say I read the code first.
demo: write greet.mjs ${GREET_BY_NAME}
demo: write greet.test.mjs ${TEST}
demo: ask-permission ${TEST_COMMAND}
demo: question ${QUESTION} [${OPTIONS.join('|')}]
demo: write greet.mjs ${GREET_ANSWERED}
demo: append greet.test.mjs ${TEST_ANSWERED}
demo: ask-permission ${TEST_COMMAND}
demo: ask-permission ${TEST_COMMAND}
demo: ask-permission rm -rf ${outside}
demo: commit Greet people by their name
\`\`\`
`
}

/**
 * The plan of the desk's first task: one thing that is routine, a choice that only the person can make, one thing that looks
 * dangerous, and a diff to review. `outside` is a folder beside the repository whose deletion is asked for; nothing is deleted.
 */
export function deskDemoPlan({ outside, pace }: { outside: string; pace: 'watch' | 'fast' }): string {
  return `${intro}

\`\`\`text
${pace === 'fast' ? 'demo: fast\n' : ''}demo: say I read the code first.
demo: write greet.mjs ${GREET_BY_NAME}
demo: write greet.test.mjs ${TEST}
demo: ask-permission ${TEST_COMMAND}
demo: question ${QUESTION} [${OPTIONS.join('|')}] product
demo: write greet.mjs ${GREET_ANSWERED}
demo: append greet.test.mjs ${TEST_ANSWERED}
demo: ask-permission rm -rf ${outside}
demo: commit Greet people by their name
\`\`\`
`
}

import type { ModelScript, ScriptedCall } from '../../cli/demo/scripted-model/script.ts'

const bash = (command: string): ScriptedCall => ({ name: 'bash', args: { command, description: 'Run it' } })
const write = (file: string, content: string): ScriptedCall => ({
  name: 'write',
  args: { filePath: file, content },
})
const question = (text: string, labels: string[]): Record<string, unknown> => ({
  question: text,
  header: 'Choice',
  options: labels.map((label) => ({ label, description: `Take ${label}` })),
  multiple: false,
})

/** What the scripted model does for the tests of the opencode adapter, by a mark in the prompt. */
export const opencodeScript: ModelScript = {
  rules: [
    {
      match: '#command',
      steps: [
        { text: 'I build first.', calls: [bash('touch made.txt && echo built')] },
        { text: 'The command was run.' },
      ],
    },
    { match: '#write', steps: [{ calls: [write('{{repo}}/notes.txt', 'hello\n')] }, { text: 'Written.' }] },
    { match: '#fails', steps: [{ calls: [bash('exit 3')] }, { text: 'It failed.' }] },
    {
      match: '#two',
      steps: [{ calls: [bash('touch one.txt'), bash('touch two.txt')] }, { text: 'Both are settled.' }],
    },
    {
      match: '#fetch',
      steps: [
        { calls: [{ name: 'webfetch', args: { url: 'http://127.0.0.1:9/none', format: 'text' } }] },
        { text: 'Fetched.' },
      ],
    },
    {
      match: '#outside',
      steps: [
        { calls: [{ name: 'read', args: { filePath: '{{outside}}/secret.txt' } }] },
        { text: 'Looked outside.' },
      ],
    },
    {
      match: '#shelloutside',
      steps: [{ calls: [bash('cat {{outside}}/secret.txt')] }, { text: 'Shell looked outside.' }],
    },
    {
      match: '#question',
      steps: [
        { calls: [{ name: 'question', args: { questions: [question('Which branch?', ['main', 'dev'])] } }] },
        { text: 'Thanks for the answer.' },
      ],
    },
    {
      match: '#manyasked',
      steps: [
        {
          calls: [
            {
              name: 'question',
              args: {
                questions: [
                  question('Which branch?', ['main', 'dev']),
                  question('Which colour?', ['red', 'blue']),
                ],
              },
            },
          ],
        },
        { text: 'Thanks for the answers.' },
      ],
    },
    { match: '#inner', steps: [{ calls: [bash('touch inner.txt')] }, { text: 'The inner work is done.' }] },
    {
      match: '#delegate',
      steps: [
        {
          calls: [
            {
              name: 'task',
              args: {
                description: 'Inner work',
                prompt: 'Do the inner work #inner',
                subagent_type: 'general',
              },
            },
          ],
        },
        { text: 'The sub-agent is done.' },
      ],
    },
    { match: '#hang', steps: [{ text: 'Thinking for ever', hang: true }] },
    { match: '#sleep', steps: [{ calls: [bash('sleep 300')] }, { text: 'Slept.' }] },
    { match: '#refused', steps: [{ status: 400, error: 'the scripted quota is used up' }] },
    {
      match: '#flaky',
      steps: [{ status: 500, error: 'scripted hiccup', failures: 1, text: 'The second try was answered.' }],
    },
    { match: '#down', steps: [{ status: 503, error: 'scripted outage', retryAfterSeconds: 1 }] },
    { match: '#patient', steps: [{ status: 503, error: 'come back later', retryAfterSeconds: 3_600 }] },
    { match: '.', steps: [{ text: 'Fine.' }] },
  ],
}

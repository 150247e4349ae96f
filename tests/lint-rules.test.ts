import { RuleTester } from 'eslint'
import { afterAll, describe, it } from 'vitest'
import { handoffRules } from '../scripts/lint-rules.js'

Object.assign(RuleTester, { afterAll })
RuleTester.describe = describe
RuleTester.it = it

const tester = new RuleTester()

tester.run('suppression-reason', handoffRules.rules['suppression-reason'] as never, {
  valid: [
    '// eslint-disable-next-line no-eval -- the page is ours\neval("1")',
    '// @ts-expect-error -- the types lag behind\nfoo()',
    '// Write @ts-ignore only with a reason.\nfoo()',
  ],
  invalid: [
    { code: '// @ts-expect-error\nfoo()', errors: [{ messageId: 'missing' }] },
    { code: '// @ts-ignore because I say so\nfoo()', errors: [{ messageId: 'missing' }] },
    { code: '/* eslint-disable no-eval -- */\neval("1")', errors: [{ messageId: 'missing' }] },
  ],
})

const statements = (count: number) => 'call();\n'.repeat(count)

tester.run('function-length', handoffRules.rules['function-length'] as never, {
  valid: [
    { code: `function a() {\n${statements(3)}}`, options: [{ max: 5 }] },
    { code: `function a() {\n\n\n// why\n// and why\n${statements(3)}}`, options: [{ max: 5 }] },
    {
      name: 'a factory of several short functions',
      code: `function create() {\nconst b = () => {\n${statements(3)}}\nfunction c() {\n${statements(3)}}\n}`,
      options: [{ max: 5 }],
    },
  ],
  invalid: [
    { code: `function a() {\n${statements(4)}}`, options: [{ max: 5 }], errors: [{ messageId: 'long' }] },
    {
      name: 'a long function inside a short one',
      code: `function a() {\nreturn () => {\n${statements(4)}}\n}`,
      options: [{ max: 5 }],
      errors: [{ messageId: 'long' }],
    },
  ],
})

const jsx = { languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } }

tester.run('text-in-words', handoffRules.rules['text-in-words'] as never, {
  valid: [
    { ...jsx, code: "x = <p>{t('inbox.title')}</p>" },
    { ...jsx, code: 'x = <p title={label}> · 12 % </p>' },
    { ...jsx, code: 'x = <h1 className="big">Handoff</h1>' },
  ],
  invalid: [
    { ...jsx, code: 'x = <p>Needs you</p>', errors: [{ messageId: 'literal' }] },
    { ...jsx, code: "x = <p>{'收件箱'}</p>", errors: [{ messageId: 'literal' }] },
    { ...jsx, code: 'x = <button title="Close" />', errors: [{ messageId: 'literal' }] },
    { ...jsx, code: 'x = <button aria-label={`Close ${name}`} />', errors: [{ messageId: 'literal' }] },
  ],
})

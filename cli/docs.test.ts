import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonShapes, type JsonShapeName } from './json-shapes.ts'
import { createProgram } from './program.ts'

const text = readFileSync(join(import.meta.dirname, '../docs/cli.md'), 'utf8')
const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...rest] = section.split('\n')
      return [title.replace(/^handoff /, ''), rest.join('\n')]
    }),
)

function leaves(command: Command, path: string[]): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }]
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
}

const commands = leaves(createProgram({ run: () => async () => undefined }), [])
const shapeOf = (path: string) => (path === 'rules list' ? 'rules' : path) as JsonShapeName

describe('docs/cli.md', () => {
  it('has a section for every command and none for others', () => {
    expect([...sections.keys()].sort()).toEqual(commands.map(({ path }) => path).sort())
  })

  it.each(commands)('tells every option and argument of $path', ({ path, command }) => {
    const section = sections.get(path) ?? ''
    for (const option of command.options) expect(section).toContain(`\`${option.flags}\``)
    for (const argument of command.registeredArguments) expect(section).toContain(argument.name())
  })

  it.each(commands.filter(({ path }) => Object.hasOwn(jsonShapes, shapeOf(path))))(
    'tells every JSON field of $path',
    ({ path }) => {
      const schema = z.toJSONSchema(jsonShapes[shapeOf(path)], { unrepresentable: 'any' })
      for (const field of Object.keys(schema.properties ?? {}))
        expect(sections.get(path)).toMatch(new RegExp(`^\\| \`${field}\``, 'm'))
    },
  )

  it('documents every shape that there is', () => {
    for (const name of Object.keys(jsonShapes))
      expect(commands.map(({ path }) => shapeOf(path))).toContain(name)
  })
})

it.each(commands)('$path says in its help what it does and how it is used', ({ command }) => {
  let shown = ''
  command.configureOutput({ writeOut: (part) => (shown += part) }).outputHelp()
  expect(command.description()).not.toBe('')
  expect(shown).toMatch(/Examples?:\n {2}(handoff|ssh) /)
})

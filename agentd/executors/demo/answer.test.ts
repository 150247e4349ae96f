import { expect, it } from 'vitest'
import { withAnswer } from './answer.ts'

const write = (text: string) => ({ kind: 'write', path: 'a.mjs', text }) as const

it('puts the answer where the plan has a place for it', () => {
  expect(withAnswer(write("say({'answer'}) // {answer}"), 'Hello, stranger!')).toEqual(
    write("say('Hello, stranger!') // Hello, stranger!"),
  )
  expect(withAnswer({ kind: 'commit', message: 'Say {answer}' }, 'Hi')).toEqual({
    ...{ kind: 'commit', message: 'Say Hi' },
  })
})

it('keeps any answer one line and one string, however it is written', () => {
  const text = (answer: string) => withAnswer(write("{'answer'}"), answer)
  expect(text("it's\n a \\ $& {answer}")).toEqual(write(String.raw`'it\'s a \\ $& {answer}'`))
  expect(text('x'.repeat(500))).toEqual(write(`'${'x'.repeat(200)}'`))
})

it('leaves a step alone as long as nothing is answered', () => {
  expect(withAnswer(write('{answer}'), undefined)).toEqual(write('{answer}'))
})

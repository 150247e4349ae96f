// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { isTyping } from './keys.ts'

function pressIn(html: string): boolean {
  document.body.innerHTML = html
  let typed: boolean | undefined
  document.body.addEventListener('keydown', (event) => (typed = isTyping(event)), { once: true })
  document.body.firstElementChild?.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
  if (typed === undefined) throw new Error('no key was heard')
  return typed
}

it.each([
  '<input>',
  '<input type="search">',
  '<input type="number">',
  '<textarea></textarea>',
  '<select></select>',
])('takes a key in %s as typing', (html) => {
  expect(pressIn(html)).toBe(true)
})

it.each(['<input type="radio">', '<input type="checkbox">', '<button></button>', '<div></div>'])(
  'takes a key in %s as a command: Ctrl+Enter sends the option that was clicked',
  (html) => {
    expect(pressIn(html)).toBe(false)
  },
)

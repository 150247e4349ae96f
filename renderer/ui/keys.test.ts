// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { isTyping, keysOf } from './keys.ts'

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

it.each([
  [{ key: 'L', ctrlKey: true, shiftKey: true }, 'mod+shift+l'],
  [{ key: 'l', ctrlKey: true }, 'mod+l'],
  [{ key: '?', shiftKey: true }, '?'],
  [{ key: 'G', shiftKey: true }, 'g'],
  [{ key: 'PageDown', ctrlKey: true, shiftKey: true }, 'mod+shift+pagedown'],
])('reads %o as %s', (init, keys) => {
  expect(keysOf(new KeyboardEvent('keydown', init))).toBe(keys)
})

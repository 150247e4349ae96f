import { expect, it } from 'vitest'
import { addressOf, nameOf } from './address-words.ts'

it.each([
  ['devbox', 'ssh://devbox', 'devbox'],
  [' me@devbox.corp.example ', 'ssh://me@devbox.corp.example', 'devbox'],
  ['ssh://me@devbox:2222', 'ssh://me@devbox:2222', 'devbox'],
  ['ws://100.64.0.7:7433', 'ws://100.64.0.7:7433', '100-64-0-7'],
  ['localhost', 'ssh://localhost', 'localhost-2'],
  ['', '', ''],
])('%j is reached at %j and called %j', (typed, address, name) => {
  expect(addressOf(typed)).toBe(address)
  expect(nameOf(typed)).toBe(name)
})

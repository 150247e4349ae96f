import { expect, it } from 'vitest'
import { addressOf, isReadableOnTheWay, nameOf } from './address-words.ts'

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

it.each([
  ['ws://100.64.0.7:7433', true],
  ['ws://box', true],
  ['ws://[fd00::7]:7433', true],
  ['ws://127.0.0.1:7433', false],
  ['ws://localhost', false],
  ['ws://[::1]:7433', false],
  ['wss://box.example', false],
  ['ssh://box', false],
  ['box', false],
  ['', false],
])('says of %j that others can read what is said: %j', (address, readable) => {
  expect(isReadableOnTheWay(address)).toBe(readable)
})

import { expect, it } from 'vitest'
import { readFacts } from './inspect.ts'

const said = (more: Record<string, string> = {}, nodes: string[] = ['v24.1.0 /usr/bin/node']) =>
  [
    'Welcome to the machine!',
    ...Object.entries({
      system: 'Linux',
      machine: 'x86_64',
      home: '/home/dev',
      root: '/home/dev/.handoff',
      free: '/dev/sda1 1000000 1 900000 1% /',
      writable: 'yes',
      git: '/usr/bin/git',
      tmux: '/usr/bin/tmux',
      tar: '/bin/tar',
      gzip: '/bin/gzip',
      ...more,
    }).map(([name, value]) => `handoff:${name}=${value}`),
    ...nodes.map((node) => `handoff:node=${node}`),
  ].join('\n')

it('reads what a machine is, past what its login files print', () => {
  expect(readFacts(said({ build: '0.1.0-abc' }), 'box')).toEqual({
    platform: { system: 'linux', arch: 'x64' },
    root: '/home/dev/.handoff',
    isUsualRoot: true,
    build: '0.1.0-abc',
    node: { version: '24.1.0', folder: '/usr/bin', isGood: true },
    olderNodes: [],
  })
  const musl = readFacts(said({ machine: 'aarch64', musl: 'yes', root: '/srv/h' }), 'box')
  expect(musl).toMatchObject({ platform: { system: 'linuxmusl', arch: 'arm64' }, isUsualRoot: false })
})

it.each([
  ['v22.15.0 /opt/a b/node', true],
  ['v22.14.9 /usr/bin/node', false],
  ['v20.20.2 /usr/bin/node', false],
  ['v26.0.0-nightly /usr/bin/node', true],
  ['nonsense', false],
])('takes Node %s: %s', (node, isTaken) =>
  expect(readFacts(said({}, [node]), 'box').node !== undefined).toBe(isTaken),
)

it.each([
  ['tmux', { tmux: '' }, 'tmux_missing'],
  ['git', { git: '' }, 'git.missing'],
  ['room', { free: '/dev/sda1 1000000 1 100 1% /' }, 'disk_full'],
  ['a system that it knows', { system: 'FreeBSD' }, 'host_unsuitable'],
  ['a processor that it knows', { machine: 'riscv64' }, 'host_unsuitable'],
  ['a home it may write to', { writable: '' }, 'host_unsuitable'],
  ['a home', { root: 'relative' }, 'host_unsuitable'],
])('says so when a machine lacks %s', (_what, more, code) =>
  expect(() => readFacts(said(more), 'box')).toThrow(
    expect.objectContaining({ code, hint: expect.stringMatching(/./) }),
  ),
)

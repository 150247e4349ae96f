import { expect, it } from 'vitest'
import { sshArguments, sshFailure } from './ssh-bridge.ts'

it('puts the host after "--" and never asks anything', () => {
  const args = sshArguments(
    { kind: 'ssh', user: 'ann', host: 'box', port: 2222 },
    { extraArgs: ['-F', '/cfg'] },
  )
  expect(args).toContain('BatchMode=yes')
  expect(args.slice(-7)).toEqual(['-F', '/cfg', '-p', '2222', '--', 'ann@box', 'handoff dial-stdio'])
})

it.each([
  [
    { exitCode: 255, stderr: 'Permission denied (publickey).' },
    /could not connect to box: Permission denied/,
  ],
  [{ exitCode: 127, stderr: 'sh: handoff: not found' }, /not installed on box/],
  [{ exitCode: 1, stderr: '' }, /through ssh to box ended\.$/],
  [{ exitCode: undefined, code: 'ENOENT', stderr: '' }, /ssh was not found/],
])('says what the end of ssh means: %j', (end, message) => {
  const error = sshFailure({ host: 'box', command: 'ssh ann@box', ...end })
  expect(error).toMatchObject({ code: 'host_unreachable', message: expect.stringMatching(message) })
  expect(error.hint).toBeTruthy()
})

it.each([
  ['@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.', /do not connect/],
  ['Host key verification failed.', /Connect once by hand.*: ssh ann@box$/],
  ['ann@box: Permission denied (publickey,password).', /ssh-copy-id/],
  ['ssh: Could not resolve hostname box', /^Try: ssh ann@box -o BatchMode=yes true$/],
])('says what to do about %j', (stderr, hint) => {
  const error = sshFailure({ host: 'box', command: 'ssh ann@box', exitCode: 255, stderr })
  expect(error.hint).toMatch(hint)
})

import { expect, it } from 'vitest'
import { serviceUnit } from './unit.ts'

const program = {
  node: '/opt/node "24"/bin/node',
  script: '/srv/100% $HOME/agentd.js',
  home: '/home/a b/.handoff',
}

it('writes a systemd unit that spares the executors and quotes what it starts', () => {
  const unit = serviceUnit('linux', program, { configHome: '/home/a b/.config' })
  expect(unit?.path).toBe('/home/a b/.config/systemd/user/handoff-agentd.service')
  expect(unit?.text).toContain('KillMode=process')
  expect(unit?.text).toContain('Restart=on-failure')
  expect(unit?.text).toContain('ExecStart="/opt/node \\"24\\"/bin/node" ')
  expect(unit?.text).toContain('"/srv/100%% $$HOME/agentd.js" run --home "/home/a b/.handoff"')
})

it('writes a launchd plist that is well-formed for any path', () => {
  const unit = serviceUnit(
    'darwin',
    { ...program, home: '/Users/a&b/<h>' },
    { userHome: '/Users/a&b', uid: 501 },
  )
  expect(unit?.path).toBe('/Users/a&b/Library/LaunchAgents/dev.handoff.agentd.plist')
  expect(unit?.text).toContain('<string>/Users/a&amp;b/&lt;h&gt;</string>')
  expect(unit?.text).toContain('<key>AbandonProcessGroup</key>')
  expect(unit?.enable).toEqual([['launchctl', 'bootstrap', 'gui/501', unit?.path]])
})

it('knows no service manager elsewhere', () => expect(serviceUnit('win32', program)).toBeUndefined())

import { describe, expect, it } from 'vitest'
import { routeSchema } from '../../shared/ipc/views.ts'
import { linkAmong, readDeepLink } from './deep-links.ts'

const task = '0196f7a2-6d5a-7c31-9d6e-1f2a3b4c5d6e'

describe('links from other programs', () => {
  it.each([
    [`handoff://task/local/${task}`, `/tasks/local/${task}`],
    [`handoff://task/dev-box.1/${task}`, `/tasks/dev-box.1/${task}`],
    [`handoff://ticket/local/${task}:perm_1`, `/inbox/local/${task}%3Aperm_1`],
    [`handoff://ticket/local/${task}%3Aperm_1`, `/inbox/local/${task}%3Aperm_1`],
    ['handoff://configure-store?bucket=b&key=secret', '/settings/advanced'],
  ])('%s opens %s', (link, route) => {
    expect(readDeepLink(link)).toEqual({ kind: 'open', route })
    expect(routeSchema.safeParse(route).success).toBe(true)
  })

  it.each([
    '',
    'handoff:',
    'handoff://',
    'https://task/local/1',
    'handoff://task/local',
    'handoff://task/local/1234',
    `handoff://task/local/${task}/changes`,
    `handoff://task/local/${task}?approve=1`,
    `handoff://task/local/${task}#approve`,
    `handoff://task/..%2f..%2fsettings/${task}`,
    `handoff://task/-oProxyCommand/${task}`,
    `handoff://ticket/local/${task}`.slice(0, -2),
    `handoff://ticket/local/${task}:<script>`,
    `handoff://ticket/local/${task}:a%00b`,
    `handoff://ticket/local/${task}:%E0%A4%A`,
    `handoff://user:pass@task/local/${task}`,
    `handoff://approve/local/${task}:perm_1`,
    'handoff://configure-store/extra',
    `handoff://configure-store?x=${'y'.repeat(3_000)}`,
    'javascript:alert(1)',
  ])('refuses %s', (link) => {
    expect(readDeepLink(link)).toEqual({ kind: 'refused' })
  })

  it('finds the link among the arguments of a second start', () => {
    expect(linkAmong(['/opt/Handoff/handoff', '--hidden', 'handoff://task/a/b'])).toBe('handoff://task/a/b')
    expect(linkAmong(['/opt/Handoff/handoff', '/home/a/handoff://x'])).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { serverEnvironment } from './config.ts'

const config = (environment: Record<string, string>, model?: string) => {
  const result = serverEnvironment({ environment, password: 'p', agents: ['mine'], model })
  return {
    environment: result,
    content: JSON.parse(result['OPENCODE_CONFIG_CONTENT'] ?? '') as Record<string, Record<string, unknown>>,
  }
}

describe('the environment of opencode serve', () => {
  it('keeps the person’s own providers and model and puts our rules last', () => {
    const own = { model: 'a/b', provider: { a: { name: 'A' } }, permission: { bash: 'allow' }, share: 'auto' }
    const { content } = config({ PATH: '/bin', OPENCODE_CONFIG_CONTENT: JSON.stringify(own) })
    expect(content).toMatchObject({
      model: 'a/b',
      provider: { a: { name: 'A' } },
      share: 'disabled',
      autoupdate: false,
    })
    expect(Object.keys(content['permission'] ?? {}).slice(0, 2)).toEqual(['bash', '**'])
    expect(content['agent']).toMatchObject({
      mine: { permission: { '**': 'ask' } },
      explore: { permission: { edit: 'deny' } },
    })
  })

  it('takes OPENCODE_PERMISSION, which opencode would apply last, below our rules', () => {
    const { environment, content } = config({ OPENCODE_PERMISSION: '{"edit":"allow"}' })
    expect(environment['OPENCODE_PERMISSION']).toBeUndefined()
    expect(Object.keys(content['permission'] ?? {}).slice(0, 2)).toEqual(['edit', '**'])
  })

  it('takes the model of the task, and survives a configuration that cannot be read', () => {
    expect(config({ OPENCODE_CONFIG_CONTENT: '{nonsense' }, 'x/y').content['model']).toBe('x/y')
  })
})

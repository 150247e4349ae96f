import { afterEach, describe, expect, it } from 'vitest'
import type { ModelScript } from './script.ts'
import { startScriptedModel, type ScriptedModel } from './server.ts'

const script: ModelScript = {
  vars: { name: 'demo', answer: 'nothing' },
  rules: [
    {
      match: 'count (\\w+)',
      steps: [
        { text: 'one $1', calls: [{ name: 'bash', args: { command: 'ls {{name}}' } }] },
        { text: 'two' },
      ],
    },
    {
      match: 'shaky',
      steps: [{ status: 503, error: 'busy', retryAfterSeconds: 7, failures: 1, text: 'well' }],
    },
    {
      match: 'greet',
      steps: [{ calls: [{ name: 'question' }] }, { text: "printf '%b' 'say {{answer}}'" }],
    },
    { match: 'hang', steps: [{ text: 'for ever', hang: true }] },
  ],
}
const tools = [{ type: 'function', function: { name: 'bash' } }]

describe('a scripted model', () => {
  const open: ScriptedModel[] = []
  const start = async () => {
    const model = await startScriptedModel({ script })
    open.push(model)
    return model
  }
  const ask = (model: ScriptedModel, messages: object[], more: object = {}) =>
    fetch(`${model.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages, tools, ...more }),
    })
  afterEach(async () => {
    for (const model of open.splice(0)) await model.dispose()
  })

  it('takes its step from the conversation and keeps nothing in mind', async () => {
    const model = await start()
    const user = { role: 'user', content: 'count apples' }
    const first = (await (await ask(model, [user])).json()) as {
      choices: { message: object; finish_reason: string }[]
    }
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'one apples',
        tool_calls: [{ function: { name: 'bash', arguments: '{"command":"ls demo"}' } }],
      },
    })
    const second = await ask(
      model,
      [user, { role: 'assistant', content: 'one' }, { role: 'tool', content: 'x' }],
      { stream: true },
    )
    const streamed = await second.text()
    expect(streamed).toContain('"content":"two"')
    expect(streamed.trim().endsWith('data: [DONE]')).toBe(true)
    expect(
      model.requests.map(({ prompt, replies, tools: offered }) => ({ prompt, replies, offered })),
    ).toEqual([
      { prompt: 'count apples', replies: 0, offered: ['bash'] },
      { prompt: 'count apples', replies: 1, offered: ['bash'] },
    ])
  })

  it('says what a question was answered with, in letters that no shell and no program reads otherwise', async () => {
    const model = await start()
    const textAfter = async (result: string) => {
      const said = await ask(model, [
        { role: 'user', content: 'greet' },
        { role: 'assistant', content: '' },
        { role: 'tool', content: result },
      ])
      return ((await said.json()) as { choices: [{ message: { content: string } }] }).choices[0].message
        .content
    }
    const answered = (answer: string) =>
      textAfter(
        `User has answered your questions: "How?"="${answer}". You can now continue with the user's answers in mind.`,
      )
    expect(await answered('Hello, 世界!')).toBe("printf '%b' 'say Hello, 世界!'")
    expect(await answered(`'$(x)"`)).toBe(String.raw`printf '%b' 'say \\u0027\\u0024\\u0028x\\u0029\\u0022'`)
    expect(await textAfter('The user dismissed this question')).toBe("printf '%b' 'say nothing'")
  })

  it('fails as often as it should and then answers', async () => {
    const model = await start()
    const messages = [{ role: 'user', content: 'shaky' }]
    const failed = await ask(model, messages)
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '7'])
    expect(await failed.text()).toContain('busy')
    expect(await (await ask(model, messages)).text()).toContain('well')
  })

  it('gives calls without tools a fixed answer, and lets a hanging reply go when it is disposed', async () => {
    const model = await start()
    expect(
      await (await ask(model, [{ role: 'user', content: 'a title, please' }], { tools: [] })).text(),
    ).toContain('Scripted title')
    const hanging = await ask(model, [{ role: 'user', content: 'hang' }], { stream: true })
    const request = await model.waitForRequest(({ prompt }) => prompt === 'hang', 1_000)
    expect(request.step.hang).toBe(true)
    await model.dispose()
    await expect(hanging.text()).rejects.toThrow()
  })

  it('refuses what it cannot read and serves on', async () => {
    const model = await start()
    expect((await fetch(`${model.url}/chat/completions`, { method: 'POST', body: '{' })).status).toBe(400)
    expect((await fetch(`${model.url}/elsewhere`)).status).toBe(404)
    expect((await fetch(`${model.url}/models`)).status).toBe(200)
    await expect(model.waitForRequest(() => true, 10)).rejects.toThrow(/not asked/)
  })
})

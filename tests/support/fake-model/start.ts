import type { ModelScript } from '../../../cli/demo/scripted-model/script.ts'
import { startScriptedModel, type ScriptedModel } from '../../../cli/demo/scripted-model/server.ts'

/** A language model of our own on a free loopback port: real agents run against it without network and without chance. */
export function startFakeModel({ script }: { script: ModelScript }): Promise<ScriptedModel> {
  return startScriptedModel({ script })
}

/** What opencode needs in its configuration to use a scripted model and nothing else. */
export function opencodeConfig(modelUrl: string): Record<string, unknown> {
  return {
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: modelUrl, apiKey: 'none' },
        models: { scripted: { tool_call: true, limit: { context: 100_000, output: 10_000 } } },
      },
    },
    model: 'fake/scripted',
    small_model: 'fake/scripted',
    enabled_providers: ['fake'],
  }
}

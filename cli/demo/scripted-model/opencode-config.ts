/** What opencode needs in its configuration to use a scripted model, and nothing else, at `modelUrl`. */
export function opencodeConfig(modelUrl: string): Record<string, unknown> {
  return {
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: modelUrl, apiKey: 'none' },
        models: { scripted: { tool_call: true, limit: { context: 100_000, output: 10_000 } } },
      },
    },
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    enabled_providers: ['scripted'],
  }
}

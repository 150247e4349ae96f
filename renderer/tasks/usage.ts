import type { WireEvent } from '../../shared/protocol/records.ts'

/** What an executor has reported it used, added up over its reports. */
export interface Usage {
  tokensIn: number
  tokensCached: number
  tokensOut: number
  /** US dollars; undefined when no report named a cost. */
  costUsd: number | undefined
}

// As agentd's adapters word it: `1200 (+800 cached) tokens in, 90 out, $0.0123`.
const REPORT = /^(\d+)(?: \(\+(\d+) cached\))? tokens in, (\d+) out(?:, \$(\d+(?:\.\d+)?))?$/

/** Adds up the usage reports among events; undefined when there is none. */
export function usageOf(events: readonly WireEvent[]): Usage | undefined {
  const texts = events
    .filter((event) => event.type === 'progress' && event.body['kind'] === 'usage')
    .map((event) => String(event.body['text']))
  if (texts.length === 0) return undefined
  const usage: Usage = {
    tokensIn: 0,
    tokensCached: 0,
    tokensOut: 0,
    costUsd: undefined,
  }
  for (const text of texts) {
    const match = REPORT.exec(text)
    if (match === null) continue
    usage.tokensIn += Number(match[1])
    usage.tokensCached += Number(match[2] ?? 0)
    usage.tokensOut += Number(match[3])
    if (match[4] !== undefined) usage.costUsd = (usage.costUsd ?? 0) + Number(match[4])
  }
  return usage
}

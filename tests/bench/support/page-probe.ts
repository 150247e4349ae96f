import type { BrowserContext, Page } from 'playwright-core'

/** What a page has noticed of itself. Times are ms since its navigation began. */
export interface PageProbe {
  /** When the first row of the inbox with its words was painted. */
  rowsAt?: number
  /** When the first ticket could be answered: its card is painted. */
  cardAt?: number
  /** Begin and length of every task above 50 ms. */
  longTasks: { at: number; ms: number }[]
  /** When `bench-` with 32 hexadecimal digits first stood in the page (ms since the epoch). */
  seen: Record<string, number>
}

declare global {
  interface Window {
    benchProbe: PageProbe
  }
}

/** Puts the probe into every page of a context, before anything else runs there. */
export async function addProbe(context: BrowserContext): Promise<void> {
  await context.addInitScript(probe)
}

/** What the page has noticed so far. */
export function probeOf(page: Page): Promise<PageProbe> {
  return page.evaluate(() => window.benchProbe)
}

/** Runs in the page, before its own code: nothing from outside of it is there. */
export function probe(): void {
  const kept: PageProbe = { longTasks: [], seen: {} }
  window.benchProbe = kept
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kept.longTasks.push({ at: entry.startTime, ms: entry.duration })
  }).observe({ type: 'longtask', buffered: true })
  const painted = (tell: (at: number) => void) =>
    requestAnimationFrame(() => {
      const after = new MessageChannel()
      after.port1.onmessage = () => tell(performance.now())
      after.port2.postMessage(0)
    })
  let hasRows = false
  let hasCard = false
  const word = /bench-[0-9a-f]{32}/g
  const look = (node: Node) => {
    for (const [found] of (node.textContent ?? '').matchAll(word))
      kept.seen[found] ??= performance.timeOrigin + performance.now()
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') look(target)
      else addedNodes.forEach(look)
    if (!hasRows && document.querySelector('[role=option] time') !== null) {
      hasRows = true
      painted((at) => (kept.rowsAt = at))
    }
    if (!hasCard && document.querySelector('section[data-ticket] button') !== null) {
      hasCard = true
      painted((at) => (kept.cardAt = at))
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

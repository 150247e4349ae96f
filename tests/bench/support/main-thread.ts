import type { Browser, Page } from 'playwright-core'
import { z } from 'zod'

/**
 * What the main thread of a page did. `longestMs` is the longest task by the clock; `longestCpuMs` the one that kept the
 * thread longest, which other programs on a busy machine do not change; `cpuMs` all tasks together.
 */
export interface MainThread {
  longestMs: number
  longestCpuMs: number
  cpuMs: number
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
})
const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })
const startedSchema = z.object({ data: z.object({ frames: z.array(z.object({ processId: z.number() })) }) })

/** Watches the main thread of a page while `work` is done, with the browser's own tracing. */
export async function watchMainThread(page: Page, work: () => Promise<void>): Promise<MainThread> {
  const browser = page.context().browser() as Browser
  await browser.startTracing(page, {
    categories: ['-*', 'disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'],
  })
  try {
    await work()
  } catch (error) {
    await browser.stopTracing()
    throw error
  }
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString()))
  const started = traceEvents.find(({ name }) => name === 'TracingStartedInBrowser')
  const pid = startedSchema.parse(started?.args).data.frames[0]?.processId
  const main = traceEvents.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.['name'] === 'CrRendererMain',
  )
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && event.pid === pid && event.tid === main?.tid,
  )
  if (tasks.length === 0) throw new Error('the browser told no task of the page')
  return {
    longestMs: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1_000,
    longestCpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000,
    cpuMs: tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000,
  }
}

/** How long (ms) the main thread of a page has worked so far, without the time in which other programs had the processor. */
export async function mainThreadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  return threadClock((method, params) => session.send(method, params))
}

/** The same over any connection with the page. */
export async function threadClock(
  send: (
    method: 'Performance.enable' | 'Performance.getMetrics',
    params?: { timeDomain: 'threadTicks' },
  ) => Promise<unknown>,
): Promise<() => Promise<number>> {
  await send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = metricsSchema.parse(await send('Performance.getMetrics'))
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}

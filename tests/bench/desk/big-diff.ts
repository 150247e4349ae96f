// Diffs of 10 000 and 100 000 lines in the review: until the first lines are there, and while somebody scrolls through them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { gitTestEnvironment } from '../../support/repository.ts'
import { taskId } from '../../support/sample-store.ts'
import { startBenchDesk, type BenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { watchMainThread } from '../support/main-thread.ts'
import { report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const SIZES = [10_000, 100_000]
const FRAMES = 240

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const repos = SIZES.map((lines) => repository(path.join(folder, `repo-${lines}`), lines))
  const home = await deskHome(path.join(folder, 'h'), {
    tasks: SIZES.length,
    running: SIZES.length,
    change(task, n) {
      const { worktree, base } = repos[n - 1] ?? {}
      if (worktree === undefined || base === undefined) return task
      return { ...task, worktree, base, repo: { kind: 'path', path: worktree, name: 'repo' } }
    },
  })
  keep(await startToldHost(home, env))
  const desk = keep(await startBenchDesk(home, env))
  await untilSettled(home, desk.facts)
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 } })
  for (const [index, lines] of SIZES.entries()) await measure({ context, desk, task: index + 1, lines })
})

async function measure({
  context,
  desk,
  task,
  lines,
}: {
  context: BrowserContext
  desk: BenchDesk
  task: number
  lines: number
}): Promise<void> {
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.getByRole('navigation').first().waitFor()
  const rows = page.locator('[data-index]').nth(10)
  const startedAt = performance.now()
  await page.evaluate((to) => (location.hash = to), `/tasks/local/${taskId(task)}/changes`)
  await rows.waitFor({ timeout: 60_000 })
  const openMs = performance.now() - startedAt
  const name = `diff of ${lines.toLocaleString('en').replace(',', ' ')} lines`
  report({ case: `${name}: until its first lines are there`, unit: 'ms', value: openMs })
  // The first colours come now; what is measured is scrolling.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3_000 })))
  let late = 0
  const scrolling = await watchMainThread(page, async () => {
    late = await scrollThrough(page)
  })
  report({
    case: `${name}: longest task while scrolling through it, CPU`,
    unit: 'ms',
    value: scrolling.longestCpuMs,
    goal: { of: 'value', atMost: 100 },
  })
  report({ case: `${name}: the same by the clock`, unit: 'ms', value: scrolling.longestMs })
  report({ case: `${name}: a frame, CPU`, unit: 'ms', value: scrolling.cpuMs / FRAMES })
  report({ case: `${name}: frames later than 34 ms`, unit: `of ${FRAMES}`, value: late })
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  report({ case: `${name}: memory of the page`, unit: 'MB heap', value: usedSize / 1_000_000 })
  await page.close()
}

/** Scrolls from the top to the end, an equal part in every frame; answers how many frames were late. */
function scrollThrough(page: Page): Promise<number> {
  return page.evaluate(
    (frames) =>
      new Promise<number>((resolve) => {
        const scroller = document.querySelector('[data-index]')?.parentElement?.parentElement
        if (!scroller) throw new Error('there is no diff')
        let frame = 0
        let lateFrames = 0
        let lastAt = performance.now()
        const step = (at: number) => {
          if (frame > 0 && at - lastAt > 34) lateFrames += 1
          lastAt = at
          frame += 1
          scroller.scrollTop = (frame / frames) * (scroller.scrollHeight - scroller.clientHeight)
          if (frame < frames) requestAnimationFrame(step)
          else resolve(lateFrames)
        }
        requestAnimationFrame(step)
      }),
    FRAMES,
  )
}

/** A repository in which a tenth of the lines of ten files a piece was changed; the diff has about `lines` lines. */
function repository(worktree: string, lines: number): { worktree: string; base: string } {
  mkdirSync(path.join(worktree, 'src'), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: worktree,
      env: { ...process.env, ...gitTestEnvironment },
      encoding: 'utf8',
    })
  const files = 20
  // A changed line is two lines of the diff, with about three of context around it.
  const perFile = Math.round(lines / files / 5) * 4
  const write = (word: string) => {
    for (let file = 0; file < files; file += 1) {
      const text = Array.from({ length: perFile }, (_, n) => {
        const name = n % 4 === 0 ? `${word}${n}` : `value${n}`
        return `export const ${name} = (input: string, count = ${n % 90}) => input.repeat(count) + '${n * 31}' // ${file}`
      })
      writeFileSync(path.join(worktree, 'src', `module-${file}.ts`), `${text.join('\n')}\n`)
    }
  }
  git('init', '-q', '-b', 'main')
  write('before')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  const base = git('rev-parse', 'HEAD').trim()
  write('after')
  return { worktree, base }
}

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

const FRAMES = 240
/** A frame at 60 a second, and what a person takes for at once. */
const FRAME_MS = 16
const OPEN_MS = 50
/** Where there is so much, nothing may stand still for longer. */
const FREEZE_MS = 200

interface Case {
  name: string
  write: (folder: string, word: string) => void
  openMs: number
  frameMs: number
}

const CASES: Case[] = [
  { name: '10 000 lines', write: lines(10_000, 20), openMs: OPEN_MS, frameMs: FRAME_MS },
  { name: '100 000 lines', write: lines(100_000, 20), openMs: FREEZE_MS, frameMs: FREEZE_MS },
  { name: 'one file of 100 000 lines', write: lines(100_000, 1), openMs: FREEZE_MS, frameMs: FREEZE_MS },
  { name: 'one line of a megabyte', write: longLine, openMs: FREEZE_MS, frameMs: FREEZE_MS },
  { name: '3 000 files', write: lines(30_000, 3_000), openMs: FREEZE_MS, frameMs: FREEZE_MS },
]
const wanted = CASES.filter(({ name }) => name.includes(process.env['BENCH_DIFF'] ?? ''))

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const repos = wanted.map((one, n) => repository(path.join(folder, `repo-${n}`), one.write))
  const home = await deskHome(path.join(folder, 'h'), {
    tasks: wanted.length,
    running: wanted.length,
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
  for (const [index, one] of wanted.entries()) await measure(one, { context, desk, task: index + 1 })
})

async function measure(
  { name, openMs, frameMs }: Case,
  { context, desk, task }: { context: BrowserContext; desk: BenchDesk; task: number },
): Promise<void> {
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.getByRole('navigation').first().waitFor()
  const rows = page.locator('[data-index]').nth(name.includes('megabyte') ? 1 : 10)
  const opening = await watchMainThread(page, async () => {
    await page.evaluate((to) => (location.hash = to), `/tasks/local/${taskId(task)}/changes`)
    await rows.waitFor({ timeout: 60_000 })
    // The first colours come now.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3_000 })))
  })
  report({
    case: `diff, ${name}: longest task while opening, CPU`,
    unit: 'ms',
    value: opening.longestCpuMs,
    goal: { of: 'value', atMost: openMs },
  })
  report({ case: `diff, ${name}: all of opening, CPU`, unit: 'ms', value: opening.cpuMs })
  let late = 0
  const scrolling = await watchMainThread(page, async () => {
    late = await scrollThrough(page)
  })
  report({
    case: `diff, ${name}: longest task while scrolling through it, CPU`,
    unit: 'ms',
    value: scrolling.longestCpuMs,
    goal: { of: 'value', atMost: frameMs },
  })
  report({ case: `diff, ${name}: the same by the clock`, unit: 'ms', value: scrolling.longestMs })
  report({ case: `diff, ${name}: a frame, CPU`, unit: 'ms', value: scrolling.cpuMs / FRAMES })
  report({ case: `diff, ${name}: frames later than 34 ms`, unit: `of ${FRAMES}`, value: late })
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  report({ case: `diff, ${name}: memory of the page`, unit: 'MB heap', value: usedSize / 1_000_000 })
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

/** A repository whose files were written with one word and then with another. */
function repository(worktree: string, write: Case['write']): { worktree: string; base: string } {
  mkdirSync(path.join(worktree, 'src'), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: worktree,
      env: { ...process.env, ...gitTestEnvironment },
      encoding: 'utf8',
    })
  git('init', '-q', '-b', 'main')
  write(path.join(worktree, 'src'), 'before')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  const base = git('rev-parse', 'HEAD').trim()
  write(path.join(worktree, 'src'), 'after')
  return { worktree, base }
}

/** A quarter of the lines of some files is changed; the diff has about `count` lines. */
function lines(count: number, files: number): Case['write'] {
  // A changed line is two lines of the diff, with about three of context around it.
  const perFile = Math.round(count / files / 5) * 4
  return (folder, word) => {
    for (let file = 0; file < files; file += 1) {
      const text = Array.from({ length: perFile }, (_, n) => {
        const name = n % 4 === 0 ? `${word}${n}` : `value${n}`
        return `export const ${name} = (input: string, count = ${n % 90}) => input.repeat(count) + '${n * 31}' // ${file}`
      })
      const place = path.join(folder, `part-${Math.floor(file / 20)}`)
      mkdirSync(place, { recursive: true })
      writeFileSync(path.join(place, `module-${file}.ts`), `${text.join('\n')}\n`)
    }
  }
}

function longLine(folder: string, word: string): void {
  writeFileSync(path.join(folder, 'bundle.js'), `${`${word}=(a,b)=>a+b;`.repeat(1_000_000 / 16)}\n`)
}

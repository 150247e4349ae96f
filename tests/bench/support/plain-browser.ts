// A Chromium that is told no more than is needed. Playwright asks for a copy of every message of a WebSocket, which costs a
// flood more than the message itself.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { chromiumPath } from '../../support/requirements.ts'
import { startChromium } from '../../support/electron-standin/cdp.ts'
import { until } from '../../support/until.ts'

/** A page in a window of its own. */
export interface PlainPage {
  send<T>(method: string, params?: Record<string, unknown>): Promise<T>
  goto(url: string): Promise<void>
  /** Runs a function in the page; it knows nothing but its argument. */
  evaluate<A, R>(run: (argument: A) => R | Promise<R>, argument: A): Promise<R>
  /** Waits until the function answers something that is true. */
  waitFor<A>(what: string, run: (argument: A) => unknown, argument: A): Promise<void>
  /** Presses a letter, or Enter. */
  press(key: string): Promise<void>
  close(): Promise<void>
}

const SIZE = { width: 1180, height: 760 }

/** Starts it; `initScript` runs in every page before anything else. */
export async function startPlainBrowser(folder: string) {
  const chromium = await startChromium(chromiumPath() ?? '', path.join(folder, 'chromium'))
  async function openIn(profile: { browserContextId?: string }, initScript: () => void): Promise<PlainPage> {
    const { targetId } = await chromium.send<{ targetId: string }>('Target.createTarget', {
      ...{ url: 'about:blank', newWindow: true },
      ...profile,
      ...SIZE,
    })
    const { sessionId } = await chromium.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    const page = pageOf(
      (method, params) => chromium.send(method, params, sessionId),
      async () => void (await chromium.send('Target.closeTarget', { targetId })),
    )
    await page.send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false })
    await page.send('Page.enable')
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${initScript.toString()})()` })
    return page
  }
  return {
    /** A page that shares nothing with others, and leaves nothing. */
    async open(initScript: () => void): Promise<PlainPage> {
      return openIn(
        await chromium.send<{ browserContextId: string }>('Target.createBrowserContext'),
        initScript,
      )
    },
    /** A page in the browser's own profile, whose caches lie on the disk, those of compiled scripts too. */
    openInProfile: (initScript: () => void) => openIn({}, initScript),
    /** Waits until the profile has kept of one script that it was seen (1), or what was compiled of it (its size in bytes). */
    keptScript: (sizeBytes: number) =>
      until('a script to be kept', async () => {
        const folderOfScripts = path.join(folder, 'chromium/Default/Code Cache/js')
        const names = (await readdir(folderOfScripts)).filter((name) => name.endsWith('_0'))
        const sizes = await Promise.all(
          names.map(async (name) => (await stat(path.join(folderOfScripts, name))).size),
        )
        return sizes.some((size) => size >= sizeBytes)
      }),
    stop: () => chromium.close(),
  }
}

function pageOf(send: PlainPage['send'], close: PlainPage['close']): PlainPage {
  async function evaluate<A, R>(run: (argument: A) => R | Promise<R>, argument: A): Promise<R> {
    const { result, exceptionDetails } = await send<{
      result: { value: R }
      exceptionDetails?: { text: string; exception?: { description?: string } }
    }>('Runtime.evaluate', {
      expression: `(${run.toString()})(${JSON.stringify(argument)})`,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails === undefined) return result.value
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  }
  return {
    send,
    close,
    evaluate,
    async goto(url) {
      await send('Page.navigate', { url })
    },
    async waitFor(what, run, argument) {
      await until(what, async () => Boolean(await evaluate(run, argument)), {
        timeoutMs: 120_000,
        intervalMs: 50,
      })
    },
    async press(key) {
      const isEnter = key === 'Enter'
      const letter = key.toUpperCase()
      const what = isEnter
        ? { key, code: key, windowsVirtualKeyCode: 13 }
        : { key, code: `Key${letter}`, windowsVirtualKeyCode: letter.charCodeAt(0) }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', text: isEnter ? '\r' : key, ...what })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...what })
    },
  }
}

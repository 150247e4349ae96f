import { until } from '../until.ts'
import type { Chromium } from './cdp.ts'
import { BINDING, DELIVER, isolatedSource, mainSource, PRELOAD_WORLD } from './worlds.ts'

/** Longer than anybody takes to meet it who looks at the browser at all. */
const POPUP_PATIENCE = { timeoutMs: 20_000, intervalMs: 250 }

/** What a page tells the window around it. */
export interface PageListener {
  /** A call from the preload world of the main frame. */
  onInvoke(message: { id?: number; channel: string; args: unknown[] }, contextId: number): void
  /** The page wants to go somewhere by itself; answers whether it may. */
  mayNavigate(url: string, isMainFrame: boolean): boolean
  onNavigated(url: string, isSameDocument: boolean): void
  onLoaded(): void
  onCrashed(): void
  onWindowOpen(url: string): void
  onTitle(title: string): void
}

/** A page in Chromium with a preload world. */
export interface Page {
  targetId: string
  /** Loads an address; rejects when it cannot be loaded. */
  load(url: string): Promise<void>
  deliver(text: string, contextId?: number): void
  send<T = Record<string, unknown>>(method: string, params?: Record<string, unknown>): Promise<T>
  close(): void
}

/** Opens a page. Its preload world is there before any script of a page it loads. */
export async function openPage(
  chromium: Chromium,
  { width, height, preload }: { width: number; height: number; preload: string },
  on: PageListener,
): Promise<Page> {
  const { targetId } = await chromium.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    width,
    height,
    newWindow: true,
  })
  const { sessionId } = await chromium.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  })
  const send: Page['send'] = (method, params) => chromium.send(method, params, sessionId)
  // A page that is just closing answers nothing any more.
  const tell = (method: string, params?: Record<string, unknown>): void =>
    void send(method, params).catch(() => undefined)
  let context: number | undefined
  let isOurLoad = false
  let loading: { resolve(): void } | undefined

  const events: Record<string, (params: never) => void> = {
    'Runtime.executionContextCreated': ({
      context: made,
    }: {
      context: { id: number; name: string; auxData: { frameId: string } }
    }) => {
      if (made.name === PRELOAD_WORLD && made.auxData.frameId === targetId) context = made.id
    },
    'Runtime.executionContextsCleared': () => {
      context = undefined
    },
    'Runtime.bindingCalled': ({
      payload,
      executionContextId,
    }: {
      payload: string
      executionContextId: number
    }) => on.onInvoke(JSON.parse(payload) as never, executionContextId),
    'Fetch.requestPaused': ({
      requestId,
      request,
      frameId,
    }: {
      requestId: string
      request: { url: string }
      frameId: string
    }) => {
      const isMainFrame = frameId === targetId
      const may = (isOurLoad && isMainFrame) || on.mayNavigate(request.url, isMainFrame)
      if (isMainFrame) isOurLoad = false
      if (may) tell('Fetch.continueRequest', { requestId })
      else tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    },
    'Page.frameNavigated': ({
      frame,
    }: {
      frame: { parentId?: string; url: string; urlFragment?: string }
    }) => {
      if (frame.parentId === undefined) on.onNavigated(frame.url + (frame.urlFragment ?? ''), false)
    },
    'Page.navigatedWithinDocument': ({ frameId, url }: { frameId: string; url: string }) => {
      if (frameId === targetId) on.onNavigated(url, true)
    },
    'Page.loadEventFired': () => {
      loading?.resolve()
      on.onLoaded()
    },
    'Page.windowOpen': ({ url }: { url: string }) => on.onWindowOpen(url),
    'Inspector.targetCrashed': () => on.onCrashed(),
  }
  chromium.listen(sessionId, (method, params) => events[method]?.(params))
  chromium.listen(
    undefined,
    (method, params: { targetInfo?: { targetId: string; openerId?: string; title: string } }) => {
      const info = params.targetInfo
      if (method === 'Target.targetCreated' && info?.openerId === targetId)
        // Nobody looked, or Chromium has ended and the window with it.
        closePopup(chromium, info.targetId).catch(() => undefined)
      if (method === 'Target.targetInfoChanged' && info?.targetId === targetId) on.onTitle(info.title)
    },
  )
  await chromium.send('Target.setDiscoverTargets', { discover: true })
  await Promise.all([
    send('Runtime.enable'),
    send('Page.enable'),
    send('Inspector.enable'),
    send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD }),
    send('Page.addScriptToEvaluateOnNewDocument', {
      source: isolatedSource(preload),
      worldName: PRELOAD_WORLD,
    }),
    send('Page.addScriptToEvaluateOnNewDocument', { source: mainSource() }),
    send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] }),
    send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false }),
  ])

  return {
    targetId,
    send,
    async load(url) {
      isOurLoad = true
      const loaded = new Promise<void>((resolve) => {
        loading = { resolve }
      })
      const answer = await send<{ loaderId?: string; errorText?: string }>('Page.navigate', { url })
      if (answer.errorText !== undefined) {
        isOurLoad = false
        throw new Error(answer.errorText)
      }
      // Only the part behind the # changed: no new document, no load event.
      if (answer.loaderId === undefined) isOurLoad = false
      else await loaded
    },
    deliver(text, contextId = context) {
      if (contextId === undefined) return
      tell('Runtime.callFunctionOn', {
        functionDeclaration: `function (text) { ${DELIVER}(text) }`,
        executionContextId: contextId,
        arguments: [{ value: text }],
        silent: true,
      })
    },
    close: () => void chromium.send('Target.closeTarget', { targetId }).catch(() => undefined),
  }
}

/**
 * Closes a window that the page has opened. Whoever else looks at the browser (Playwright) holds a new window until it has met
 * it; one that goes before that is waited for, and its opener with it, for ever. A window that is let go has an address.
 */
async function closePopup(chromium: Chromium, targetId: string): Promise<void> {
  const isMet = async (): Promise<boolean> => {
    const { targetInfo } = await chromium.send<{ targetInfo: { attached: boolean; url: string } }>(
      'Target.getTargetInfo',
      { targetId },
    )
    return targetInfo.attached && !['', 'about:blank'].includes(targetInfo.url)
  }
  await until('the new window to be met', isMet, POPUP_PATIENCE).finally(() =>
    chromium.send('Target.closeTarget', { targetId }),
  )
}

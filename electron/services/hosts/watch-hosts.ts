import { mkdirSync, watch } from 'node:fs'

const DEBOUNCE_MS = 100

/**
 * Calls `onChange` shortly after `hosts.json` of a home was replaced, by whatever process. Where the system cannot watch,
 * nothing is heard and `onProblem` says so once.
 */
export function watchHostList({
  homeRoot,
  onChange,
  onProblem,
}: {
  homeRoot: string
  onChange: () => void
  onProblem: (error: unknown) => void
}): { dispose(): void } {
  mkdirSync(homeRoot, { recursive: true, mode: 0o700 })
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, DEBOUNCE_MS)
  }
  try {
    const watcher = watch(homeRoot, { persistent: false }, (_event, file) => {
      // Some systems do not name the file.
      if (file === null || file === 'hosts.json') soon()
    })
    watcher.on('error', onProblem)
    return {
      dispose() {
        clearTimeout(timer)
        watcher.close()
      },
    }
  } catch (error) {
    onProblem(error)
    return { dispose: () => undefined }
  }
}

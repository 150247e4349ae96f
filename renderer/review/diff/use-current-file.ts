import { useMemo, useRef, useState } from 'react'
import type { DiffFile } from './parse.ts'

/**
 * The file that keys and marks are about: the one that was gone to, until the person scrolls by hand; then the one at the top. Where
 * everything fits on the screen nothing scrolls, and what is at the top would always be the first.
 */
export function useCurrentFile(files: readonly DiffFile[], atTop: number) {
  const [path, setPath] = useState<string>()
  // Going to a file scrolls too, so a scroll alone does not say who did it.
  const isByHand = useRef(false)
  const picked = useMemo(
    () => (path === undefined ? -1 : files.findIndex((file) => file.path === path)),
    [files, path],
  )
  return {
    current: picked === -1 ? atTop : picked,
    isPicked: picked !== -1,
    pick(index: number) {
      isByHand.current = false
      setPath(files[index]?.path)
    },
    /** The person has done something that may scroll. */
    byHand() {
      isByHand.current = true
    },
    scrolled() {
      if (isByHand.current) setPath(undefined)
    },
  }
}

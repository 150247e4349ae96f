import { z } from 'zod'
import { readDispensable, writeDispensable } from '../../shared/node/private-file.ts'

/** A rectangle of a screen, in device-independent pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const pixels = z.number().int().min(-100_000).max(100_000)
const stateSchema = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: pixels, height: pixels }).optional(),
  maximised: z.boolean().default(false),
  /** The person was told once that closing the window does not end the desk. */
  closeExplained: z.boolean().default(false),
})
/** What is remembered of the main window. */
export type WindowState = z.output<typeof stateSchema>

/** The least size of the main window, in device-independent pixels. */
export const SMALLEST = { width: 720, height: 480 }
const USUAL = { width: 1180, height: 760 }

/** The state of the main window in a file; a damaged or missing one counts as none. */
export function createWindowStateFile(file: string): {
  read(): WindowState
  change(patch: Partial<WindowState>): void
} {
  const read = (): WindowState => readDispensable(file, stateSchema) ?? stateSchema.parse({})
  return {
    read,
    change: (patch) => void writeDispensable(file, JSON.stringify({ ...read(), ...patch })),
  }
}

/**
 * Where the window opens: where it was, if enough of its title bar lies on a screen that is still there; otherwise in the
 * middle of the first work area, no larger than it.
 */
export function fitBounds(saved: Bounds | undefined, workAreas: readonly Bounds[]): Bounds {
  const first = workAreas[0] ?? { x: 0, y: 0, ...USUAL }
  const area = saved && workAreas.find((candidate) => isTitleBarOn(saved, candidate))
  if (saved === undefined || area === undefined) {
    const width = Math.min(USUAL.width, first.width)
    const height = Math.min(USUAL.height, first.height)
    return {
      x: Math.round(first.x + (first.width - width) / 2),
      y: Math.round(first.y + (first.height - height) / 2),
      width,
      height,
    }
  }
  return {
    x: saved.x,
    y: saved.y,
    width: Math.max(SMALLEST.width, Math.min(saved.width, area.width)),
    height: Math.max(SMALLEST.height, Math.min(saved.height, area.height)),
  }
}

/** What of the upper edge must lie on a screen for a hand to find it, and how high a title bar is at most, in points. */
const HANDLE_WIDTH = 120
const TITLE_BAR_HEIGHT = 40
/** Some systems place a maximised window a little above the screen. */
const ABOVE = 8

/** Whether a person could take hold of the window there. */
function isTitleBarOn(bounds: Bounds, area: Bounds): boolean {
  const left = Math.max(bounds.x, area.x)
  const right = Math.min(bounds.x + bounds.width, area.x + area.width)
  return (
    right - left >= HANDLE_WIDTH &&
    bounds.y >= area.y - ABOVE &&
    bounds.y <= area.y + area.height - TITLE_BAR_HEIGHT
  )
}

/** Where a window of this size stands beside a tray icon: below it under a bar at the top, above it over one at the bottom. */
export function placeBeside(
  icon: Bounds,
  { width, height }: { width: number; height: number },
  area: Bounds,
): { x: number; y: number } {
  const gap = 6
  const centred = Math.round(icon.x + icon.width / 2 - width / 2)
  const isAtTop = icon.y + icon.height / 2 < area.y + area.height / 2
  const y = isAtTop ? icon.y + icon.height + gap : icon.y - height - gap
  return {
    x: clamp(centred, area.x + gap, area.x + area.width - width - gap),
    y: clamp(y, area.y + gap, area.y + area.height - height - gap),
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createWindowStateFile, fitBounds, placeBeside } from './window-state.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const beside = { x: 1440, y: 0, width: 1920, height: 1080 }

describe('where the main window opens', () => {
  it('opens where it was while that screen is there', () => {
    const saved = { x: 1500, y: 100, width: 1200, height: 800 }
    expect(fitBounds(saved, [laptop, beside])).toEqual(saved)
  })

  it('comes back to the first screen when its own was unplugged', () => {
    const saved = { x: 1500, y: 100, width: 1200, height: 800 }
    expect(fitBounds(saved, [laptop])).toEqual({ x: 130, y: 83, width: 1180, height: 760 })
  })

  it.each([
    ['above the screen', { x: 100, y: -600, width: 900, height: 600 }],
    ['below the screen', { x: 100, y: 890, width: 900, height: 600 }],
    ['with a sliver on the screen', { x: -850, y: 100, width: 900, height: 600 }],
  ])('does not open %s', (_title, saved) => {
    expect(fitBounds(saved, [laptop])).toEqual({ x: 130, y: 83, width: 1180, height: 760 })
  })

  it('is never larger than a small screen nor smaller than it can be used', () => {
    expect(fitBounds(undefined, [{ x: 0, y: 0, width: 1024, height: 600 }])).toMatchObject({
      width: 1024,
      height: 600,
    })
    expect(fitBounds({ x: 0, y: 25, width: 300, height: 50 }, [laptop])).toMatchObject({
      width: 720,
      height: 480,
    })
    expect(fitBounds({ x: 0, y: 25, width: 9_000, height: 9_000 }, [laptop])).toMatchObject({
      width: 1440,
      height: 875,
    })
  })
})

describe('the window beside the tray icon', () => {
  const size = { width: 380, height: 520 }
  it('hangs below an icon in a bar at the top', () => {
    expect(placeBeside({ x: 1000, y: 0, width: 24, height: 24 }, size, laptop)).toEqual({ x: 822, y: 31 })
  })
  it('stands above an icon in a bar at the bottom and stays on the screen', () => {
    const area = { x: 0, y: 0, width: 1920, height: 1040 }
    expect(placeBeside({ x: 1890, y: 1040, width: 24, height: 40 }, size, area)).toEqual({ x: 1534, y: 514 })
  })
})

describe('the file of the window', () => {
  it('remembers what was changed and keeps the rest', async () => {
    const file = createWindowStateFile(path.join(await tempDirForTest(), 'desk/window.json'))
    expect(file.read()).toEqual({ maximised: false, closeExplained: false })
    file.change({ bounds: { x: 1, y: 2, width: 800, height: 600 } })
    file.change({ closeExplained: true })
    expect(file.read()).toEqual({
      bounds: { x: 1, y: 2, width: 800, height: 600 },
      maximised: false,
      closeExplained: true,
    })
  })

  it('takes a damaged file for none', async () => {
    const name = path.join(await tempDirForTest(), 'window.json')
    await writeFile(name, '{"bounds": {"x": "left"}}')
    expect(createWindowStateFile(name).read().bounds).toBeUndefined()
  })
})

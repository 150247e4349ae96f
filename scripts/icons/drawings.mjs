import { Resvg } from '@resvg/resvg-js'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { icnsFile } from './icns.mjs'
import { icoFile } from './ico.mjs'

/** Below this size the app is drawn with fewer and thicker strokes. */
const SMALL_SIZE = 32
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const ICO_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256]
const MOODS = ['quiet', 'waiting', 'offline']
/** Electron picks the file for a screen's density by these endings. */
const SCALES = [1, 1.25, 1.5, 2, 3]

/**
 * Every image that is made of the drawings, by its path below `resources`: the app's icon of each system, what the tray shows
 * (`tray/<platform>`), and the dot on the taskbar button of Windows.
 */
export function drawAll(resources) {
  const draw = drawer(path.join(resources, 'icons'))
  const app = (size) => draw(size <= SMALL_SIZE ? 'tile-quiet' : 'app', size)
  const files = new Map()
  for (const size of LINUX_SIZES) files.set(`icons/linux/${size}x${size}.png`, app(size))
  files.set('icons/app.ico', icoFile(ICO_SIZES.map((size) => ({ size, png: app(size) }))))
  files.set(
    'icons/app.icns',
    icnsFile((size) => draw('app-mac', size)),
  )
  const scaled = (name, drawing, { size, scales }) => {
    for (const scale of scales)
      files.set(`${name}${scale === 1 ? '' : `@${scale}x`}.png`, draw(drawing, size * scale))
  }
  for (const mood of MOODS) {
    scaled(`tray/darwin/${mood}Template`, `template-${mood}`, { size: 18, scales: [1, 2] })
    scaled(`tray/win32/${mood}`, `tile-${mood}`, { size: 16, scales: SCALES })
    // A panel of 22 or 24 pixels scales it down less than it would scale 16 up.
    scaled(`tray/linux/${mood}`, `tile-${mood}`, { size: 24, scales: [1, 2] })
  }
  scaled('tray/win32/badge', 'badge', { size: 16, scales: SCALES })
  return files
}

/** A name for the state of the drawings; it changes with each of them and with what is made of them. */
export function drawingsHash(resources) {
  const hash = createHash('sha256')
  const folder = path.join(resources, 'icons')
  const drawings = readdirSync(folder)
    .filter((name) => name.endsWith('.svg'))
    .sort()
    .map((name) => path.join(folder, name))
  const programs = ['drawings.mjs', 'ico.mjs', 'icns.mjs'].map((name) => path.join(import.meta.dirname, name))
  for (const file of [...drawings, ...programs])
    hash.update(`${path.basename(file)}\0${readFileSync(file, 'utf8').replaceAll('\r\n', '\n')}\0`)
  return hash.digest('hex')
}

function drawer(folder) {
  const made = new Map()
  return (drawing, size) => {
    const key = `${drawing} ${size}`
    if (!made.has(key)) {
      const svg = readFileSync(path.join(folder, `${drawing}.svg`), 'utf8')
      const image = new Resvg(svg, {
        fitTo: { mode: 'width', value: size },
        font: { loadSystemFonts: false },
      })
      made.set(key, Buffer.from(image.render().asPng()))
    }
    return made.get(key)
  }
}

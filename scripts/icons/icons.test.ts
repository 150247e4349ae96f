import { Resvg } from '@resvg/resvg-js'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawingsHash } from './drawings.mjs'
import { ICNS_TYPES, icnsFile } from './icns.mjs'
import { icoFile } from './ico.mjs'

const resources = path.resolve(import.meta.dirname, '../../resources')
const read = (name: string): Buffer => readFileSync(path.join(resources, name))
const list = JSON.parse(read('icons/images.json').toString()) as {
  drawings: string
  images: Record<string, string>
}
const files = readdirSync(resources, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(png|ico|icns)$/.test(name),
)
const pngs = files.filter((name) => name.endsWith('.png'))

/** Width and height of a PNG, which stand in its first chunk. */
const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)]

/** Red, green, blue and alpha of each pixel. */
function pixelsOf(png: Buffer): Uint8Array {
  const [width, height] = sizeOf(png)
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels
}

describe('the images', () => {
  it('are those of the drawings: `npm run icons` was run after the last change', () => {
    expect(list.drawings).toBe(drawingsHash(resources))
    const found = Object.fromEntries(
      files.map((name) => [name, createHash('sha256').update(read(name)).digest('hex')]),
    )
    expect(found).toEqual(list.images)
  })

  it('have the sizes that their names say', () => {
    for (const name of pngs.filter((one) => one.startsWith('icons/linux/'))) {
      const [, width, height] = /(\d+)x(\d+)\.png$/.exec(name) ?? []
      expect(sizeOf(read(name)), name).toEqual([Number(width), Number(height)])
    }
    for (const name of pngs.filter((one) => one.startsWith('tray/'))) {
      const points = { darwin: 18, win32: 16, linux: 24 }[path.basename(path.dirname(name))] ?? 0
      const pixels = points * Number(/@([\d.]+)x\.png$/.exec(name)?.[1] ?? 1)
      expect(sizeOf(read(name)), name).toEqual([pixels, pixels])
    }
  })

  it('are black with alpha where macOS colours them, and tell the states apart by shape', () => {
    const shapes = ['quiet', 'waiting', 'offline'].flatMap((mood) =>
      ['', '@2x'].map((scale) => {
        const pixels = pixelsOf(read(`tray/darwin/${mood}Template${scale}.png`))
        const alphas = pixels.filter((_, index) => index % 4 === 3)
        expect(Math.max(...pixels.filter((_, index) => index % 4 !== 3))).toBe(0)
        expect(Math.min(...alphas)).toBe(0)
        expect(Math.max(...alphas)).toBeGreaterThanOrEqual(mood === 'offline' ? 120 : 250)
        const strongest = Math.max(...alphas)
        return [...alphas].map((alpha) => (alpha > strongest / 2 ? '#' : ' ')).join('')
      }),
    )
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('leave the corners free', () => {
    for (const name of pngs) expect(pixelsOf(read(name))[3], name).toBe(0)
  })
})

describe('an icon file', () => {
  const tiny = (size: number): Buffer => Buffer.from(`image of ${size}`)

  it('of Windows lists its images with sizes and places', () => {
    const file = icoFile([16, 256].map((size) => ({ size, png: tiny(size) })))
    expect([...file.subarray(0, 8)]).toEqual([0, 0, 1, 0, 2, 0, 16, 16])
    expect([...file.subarray(22, 24)], '256 is written as 0').toEqual([0, 0])
    const [size, offset] = [file.readUInt32LE(22 + 8), file.readUInt32LE(22 + 12)]
    expect(file.subarray(offset, offset + size).toString()).toBe('image of 256')
  })

  it('of macOS is a row of typed chunks as long as it says', () => {
    const file = icnsFile(tiny)
    expect(file.subarray(0, 4).toString()).toBe('icns')
    expect(file.readUInt32BE(4)).toBe(file.length)
    const found: Record<string, string> = {}
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
      found[file.subarray(at, at + 4).toString()] = file
        .subarray(at + 8, at + file.readUInt32BE(at + 4))
        .toString()
    expect(found).toEqual(
      Object.fromEntries(Object.entries(ICNS_TYPES).map(([type, size]) => [type, `image of ${size}`])),
    )
  })
})

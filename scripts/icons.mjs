// `npm run icons`: makes the images of resources/ from the drawings in resources/icons/*.svg. They are committed, because the
// shell and the packages read them; a test fails while they are older than the drawings.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)
const { drawAll, drawingsHash } = await import('./icons/drawings.mjs')

const resources = path.join(root, 'resources')
for (const folder of ['tray', 'icons/linux'])
  rmSync(path.join(resources, folder), { recursive: true, force: true })
const images = {}
for (const [name, content] of drawAll(resources)) {
  const file = path.join(resources, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  images[name] = createHash('sha256').update(content).digest('hex')
}
const list = { drawings: drawingsHash(resources), images }
writeFileSync(path.join(resources, 'icons/images.json'), `${JSON.stringify(list, null, 2)}\n`)
console.log(`${Object.keys(images).length} images were made in ${path.relative(process.cwd(), resources)}.`)

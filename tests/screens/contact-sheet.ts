import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** One picture that was taken, its file relative to the sheet. */
export interface Picture {
  state: string
  variant: string
  file: string
  faults: number
}

/** Writes a page on which all pictures can be looked through, one state after the other; answers its path. */
export function writeContactSheet(folder: string, pictures: readonly Picture[]): string {
  const states = [...new Set(pictures.map(({ state }) => state))]
  const part = (state: string) => {
    const own = pictures.filter((picture) => picture.state === state)
    const figures = own.map(
      ({ file, variant, faults }) =>
        `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${state}, ${variant}"></a><figcaption${
          faults > 0 ? ' class="bad"' : ''
        }>${variant}${faults > 0 ? ` · ${faults} faults` : ''}</figcaption></figure>`,
    )
    return `<h2 id="${state}">${state}</h2><div>${figures.join('')}</div>`
  }
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:13px system-ui;margin:24px;background:#d9d8d3}div{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:16px}
figure{margin:0}img{width:100%;box-shadow:0 2px 12px #0003}.bad{color:#b92c25;font-weight:600}nav a{margin-right:10px}</style>
<nav>${states.map((state) => `<a href="#${state}">${state}</a>`).join(' ')}</nav>
${states.map(part).join('\n')}`
  const file = path.join(folder, 'index.html')
  writeFileSync(file, page)
  return file
}

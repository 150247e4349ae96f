import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import '../ui/base.css'
import { App } from './App.tsx'
import type { WindowLink } from './start.ts'

/** Draws the window once it is known how it stands with its services: the first screen comes in one go, with its rows. */
export function draw(link: WindowLink): void {
  const place = document.getElementById('root')
  if (place === null) throw new Error('the page has no #root')
  lookFontsUp()
  const root = createRoot(place)
  const drawIfKnown = () => {
    if (link.state().kind === 'starting') return
    stop()
    flushSync(() =>
      root.render(
        <StrictMode>
          <App window={link} />
        </StrictMode>,
      ),
    )
  }
  const stop = link.watch(drawIfKnown)
  drawIfKnown()
}

/** Has the system find the fonts while the services' answer is on its way: that takes longer than drawing the first rows with them. */
function lookFontsUp(): void {
  const words = document.createElement('p')
  words.style.visibility = 'hidden'
  for (const font of ['var(--text-ui)', 'bold var(--text-ui)', 'var(--text-mono)']) {
    const word = document.createElement('span')
    word.style.font = font
    word.textContent = document.title
    words.append(word)
  }
  document.body.append(words)
  words.getBoundingClientRect()
  words.remove()
}

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

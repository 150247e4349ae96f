import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { startWindow } from './app/start.ts'
import './ui/base.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
const window_ = startWindow()
createRoot(root).render(
  <StrictMode>
    <App window={window_} />
  </StrictMode>,
)

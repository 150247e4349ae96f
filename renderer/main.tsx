// First: the services are asked before the screens below are even run, which takes longer than their answer.
import { link } from './app/link.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import './ui/base.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <App window={link} />
  </StrictMode>,
)

import { draw } from './app/draw.tsx'
// A script of its own (vite.config.ts), and small, so that the services are asked while the screens are still on their way.
import { link } from './app/link.ts'

draw(link)

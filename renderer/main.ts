// Small, so that the services are asked while the screens are still on their way.
import { link } from './app/link.ts'

// When they cannot be loaded, `start.ts` hears of it.
void import('./app/draw.tsx').then(({ draw }) => draw(link))

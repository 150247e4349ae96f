// Loaded with `node --import` before the main bundle: whoever asks for `electron` gets the stand-in.
import { registerHooks } from 'node:module'
import { standInPlatform } from './settings.ts'

const standIn = new URL('./electron.ts', import.meta.url).href

// The shell looks at the platform to decide what to draw; services must see the same one.
Object.defineProperty(process, 'platform', { value: standInPlatform() })
Object.assign(process.versions, { electron: '0.0.0-standin', chrome: '0' })

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
  },
})

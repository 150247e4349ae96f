// Loaded with `node --import` before the main bundle: whoever asks for `electron` gets the stand-in.
import Database from 'better-sqlite3'
import { registerHooks } from 'node:module'
import { standInPlatform } from './settings.ts'

const standIn = new URL('./electron.ts', import.meta.url).href

// SQLite's native part is chosen by the platform too, and is kept once it is loaded: it has to be the real one.
new Database(':memory:').close()
// The shell looks at the platform to decide what to draw; services must see the same one.
Object.defineProperty(process, 'platform', { value: standInPlatform() })
Object.assign(process.versions, { electron: '0.0.0-standin', chrome: '0' })

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
  },
})

// Loaded into a utility process before its script: the channel of child_process.fork in the form of Electron's.
import { EventEmitter } from 'node:events'

const send = process.send?.bind(process)
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void send?.(message, undefined, undefined, () => undefined),
})
process.on('message', (data) => port.emit('message', { data, ports: [] }))
process.once('disconnect', () => port.emit('close'))
Object.defineProperty(process, 'parentPort', { value: port })
Object.defineProperty(process, 'send', { value: undefined })

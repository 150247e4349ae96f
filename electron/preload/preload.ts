import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, IpcAnswer } from '../../shared/ipc.ts'

/**
 * The whole of what a page can reach: two channels. It is never edited to add a call; names and inputs are checked on the
 * other side (electron/shell/ipc.ts and the contract in shared/ipc.ts).
 */
const listeners = new Set<(name: string, payload: unknown) => void>()

ipcRenderer.on('handoff:event', (_event, name: string, payload: unknown) => {
  for (const listener of listeners) {
    try {
      listener(name, payload)
    } catch (error) {
      // One listener's mistake must not keep the event from the others.
      reportError(error)
    }
  }
})

const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke('handoff:call', { name, input }) as Promise<IpcAnswer>,
  subscribe(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

contextBridge.exposeInMainWorld('handoff', bridge)

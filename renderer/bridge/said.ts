import { createListeners } from '../../shared/listeners.ts'
import type { MessageKey } from '../i18n/i18n.ts'

const said = createListeners<[key: MessageKey]>()

/** Tells the person that something began which no open screen shows yet; the sentence goes by itself. */
export function say(key: MessageKey): void {
  said.tell(key)
}

/** Hears such sentences; answers how to stop. */
export function onSaid(listener: (key: MessageKey) => void): () => void {
  return said.add(listener)
}

import type { ColourAnswer, ColourRequest } from './colour-messages.ts'
import { colour, nothing } from './colour.ts'

// The colours of words, computed beside the window so that scrolling never waits for them.

const reply = (answer: ColourAnswer) =>
  self.postMessage(answer, { transfer: [answer.pairs.buffer, answer.ends.buffer] })

self.addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => {
  void colour(data).then(
    reply,
    // A grammar that stumbles over a text leaves it uncoloured; the review goes on.
    () => reply(nothing(data.id)),
  )
})

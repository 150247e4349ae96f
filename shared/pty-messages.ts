import { z } from 'zod'

/** Where a batch of output is cut. */
export const PTY_BATCH_BYTES = 64 * 1024
/**
 * Output that the pty host may have on its way before the other side says that it came (`got`), in characters; as everywhere
 * with terminals, these are UTF-16 code units. On a busy machine an answer takes some 50 ms, and a flood has 10 MB a second.
 */
export const PTY_UNHEARD_CHARS = 512 * 1024
/** Input in one message, in code units. */
export const PTY_WRITE_CHARS = 64 * 1024
/** How often each side shows that it is alive. */
export const PTY_BEAT_MS = 5_000

const id = z.number().int().min(1)
const size = { cols: z.number().int().min(2).max(1_000), rows: z.number().int().min(1).max(500) }
const text = z.string().max(32_768)

/** What the services say to the pty host. */
export const toPtyHostSchema = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('spawn'),
    id,
    argv: z.array(text).min(1).max(100),
    env: z.record(z.string().max(256), text),
    cwd: z.string().min(1).max(4_096),
    ...size,
  }),
  z.object({ t: z.literal('write'), id, data: z.string().max(PTY_WRITE_CHARS) }),
  z.object({ t: z.literal('resize'), id, ...size }),
  z.object({ t: z.literal('pause'), id }),
  z.object({ t: z.literal('resume'), id }),
  /** `chars` of output have arrived. */
  z.object({ t: z.literal('got'), id, chars: z.number().int().min(1) }),
  z.object({ t: z.literal('kill'), id }),
  z.object({ t: z.literal('beat') }),
])
export type ToPtyHost = z.infer<typeof toPtyHostSchema>

/** What the pty host says. Output of a pty comes in order, its `exit` last. */
export const fromPtyHostSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('spawned'), id }),
  z.object({ t: z.literal('refused'), id, why: z.string().max(1_000) }),
  /** `data` is whole characters in UTF-8, `chars` how many they are: never more than bytes. Bytes pass all the way to the window as they are. */
  z.object({
    t: z.literal('data'),
    id,
    data: z.instanceof(Uint8Array),
    chars: z.number().int().min(1).max(PTY_BATCH_BYTES),
  }),
  z.object({
    t: z.literal('exit'),
    id,
    code: z.number().int().optional(),
    signal: z.number().int().optional(),
  }),
  z.object({ t: z.literal('beat') }),
])
export type FromPtyHost = z.infer<typeof fromPtyHostSchema>

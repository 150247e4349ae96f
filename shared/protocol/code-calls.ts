import { z } from 'zod'
import { shaSchema } from '../domain/task.ts'
import { base64Chunk, id, nothing, call } from './call-spec.ts'

/** Calls that bring code to a host. */
export const codeCalls = {
  'upload.begin': call(
    'reviewer',
    z.object({
      sizeBytes: z
        .number()
        .int()
        .min(1)
        .max(64 * 2 ** 30),
    }),
    z.object({ uploadId: id }),
  ),
  'upload.chunk': call(
    'reviewer',
    z.object({ uploadId: id, offset: z.number().int().min(0), data: base64Chunk }),
    z.object({ receivedBytes: z.number().int() }),
  ),
  'upload.drop': call('reviewer', z.object({ uploadId: id }), nothing),
  'repo.locate': call(
    'reviewer',
    z.object({
      name: z.string().min(1).max(200),
      roots: z.array(shaSchema).max(20),
      remotes: z.array(z.object({ name: z.string().max(200), url: z.string().max(4_096) })).max(20),
      want: shaSchema,
    }),
    /** `haves`: commits the host already has, to send only what is missing. */
    z.object({ key: z.string().max(128), hasWanted: z.boolean(), haves: z.array(shaSchema).max(2_000) }),
  ),
  'repo.receive': call(
    'reviewer',
    z.object({ key: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/), uploadId: id, commit: shaSchema }),
    nothing,
  ),
} as const

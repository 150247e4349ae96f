import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { textLimits } from '../../../shared/domain/text-limits.ts'
import { createListeners } from '../../../shared/listeners.ts'
import type { ReviewComment } from '../../../shared/domain/review-instruction.ts'

/** A remark that was kept and not yet sent. */
export type KeptComment = ReviewComment & { id: string }

/** What a person has prepared for one task: kept in the window's own storage until it is sent, also over a restart. */
export interface ReviewNotes {
  comments: KeptComment[]
  general: string
  /** Files that were looked through: their path and a fingerprint of what was seen. */
  viewed: Record<string, string>
}

const schema = z.object({
  comments: z
    .array(
      z.object({
        id: z.string().max(64),
        path: z.string().max(4_096),
        side: z.enum(['old', 'new']),
        fromLine: z.number().int(),
        toLine: z.number().int(),
        quote: z.array(z.string().max(textLimits.quotedLine)).max(2_000),
        text: z.string().max(textLimits.comment),
      }),
    )
    .max(1_000),
  general: z.string().max(textLimits.generalComment),
  viewed: z.record(z.string().max(4_096), z.string().max(64)),
})

const EMPTY: ReviewNotes = { comments: [], general: '', viewed: {} }
const held = new Map<string, ReviewNotes>()
const watchers = createListeners()

const place = (key: string) => `handoff.review.${key}`

function load(key: string): ReviewNotes {
  const known = held.get(key)
  if (known !== undefined) return known
  const notes = read(localStorage.getItem(place(key)))
  held.set(key, notes)
  return notes
}

function read(text: string | null): ReviewNotes {
  if (text === null) return EMPTY
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : EMPTY
  } catch {
    // Not JSON: an older or damaged note, which is of no use to anybody.
    return EMPTY
  }
}

function store(key: string, notes: ReviewNotes): void {
  held.set(key, notes)
  if (notes.comments.length === 0 && notes.general === '' && Object.keys(notes.viewed).length === 0)
    localStorage.removeItem(place(key))
  else localStorage.setItem(place(key), JSON.stringify(notes))
  watchers.tell()
}

/** The notes of a task's review, and how to change them. `key` is `host/taskId`. */
export function useReviewNotes(key: string) {
  const notes = useSyncExternalStore(watchers.add, () => load(key))
  const change = (part: Partial<ReviewNotes>) => store(key, { ...load(key), ...part })
  return {
    notes,
    setGeneral: (general: string) => change({ general }),
    keep(comment: KeptComment) {
      const others = load(key).comments.filter((one) => one.id !== comment.id)
      change({ comments: [...others, comment] })
    },
    drop: (id: string) => change({ comments: load(key).comments.filter((one) => one.id !== id) }),
    setViewed(path: string, print: string | undefined) {
      const viewed = { ...load(key).viewed }
      if (print === undefined) delete viewed[path]
      else viewed[path] = print
      change({ viewed })
    },
    /** After sending or finishing: comments and instruction are done with; what was viewed stays. */
    sent: () => change({ comments: [], general: '' }),
  }
}

/** The notes of one review, and how to change them. */
export type ReviewNotesState = ReturnType<typeof useReviewNotes>

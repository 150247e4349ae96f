import { useRef } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import type { InboxRow, InboxSection } from '../../shared/ipc/views.ts'
import { FIRST_WINDOW, takeAhead } from '../bridge/ahead.ts'
import { call } from '../bridge/bridge.ts'
import { useList, type ListState } from '../bridge/use-list.ts'
import { useRested } from '../ui/use-delayed.ts'
import type { SectionSize } from './section-rows.ts'

/** Which part of the inbox is shown. */
export interface InboxFilter {
  text: string
  host: string | undefined
  section: InboxSection | undefined
}

/** The whole inbox. */
export const NO_FILTER: InboxFilter = { text: '', host: undefined, section: undefined }
const NO_SECTIONS: readonly SectionSize[] = []
const TYPING_MS = 120

/** Whether a filter leaves anything out. */
export function isFiltering({ text, host, section }: InboxFilter): boolean {
  return text.trim() !== '' || host !== undefined || section !== undefined
}

/** The rows of the inbox with the sizes of their sections. */
export interface Inbox extends ListState<InboxRow, { sections: SectionSize[] }> {
  sections: readonly SectionSize[]
  /** Names the query; another one is another list. */
  key: string
}

/** Reads the inbox through a filter and follows it. */
export function useInbox(filter: InboxFilter): Inbox {
  const text = useRested(filter.text, TYPING_MS).trim().slice(0, textLimits.search)
  const query = {
    ...(text === '' ? {} : { text }),
    ...(filter.host === undefined ? {} : { host: filter.host }),
    ...(filter.section === undefined ? {} : { section: filter.section }),
  }
  const key = `inbox ${JSON.stringify(query)}`
  const list = useList<InboxRow, { sections: SectionSize[] }>(
    key,
    (offset, limit) => call('inbox.window', { ...query, offset, limit }),
    () => takeAhead('inbox.window', { ...query, ...FIRST_WINDOW }),
  )
  // Every window brings the sizes anew; the list is only measured again when they differ.
  const sizes = list.extra?.sections ?? NO_SECTIONS
  const kept = useRef(sizes)
  if (JSON.stringify(kept.current) !== JSON.stringify(sizes)) kept.current = sizes
  return { ...list, sections: kept.current, key }
}

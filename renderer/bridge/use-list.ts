import { useCallback, useEffect, useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import { FIRST_WINDOW, type Ahead } from './ahead.ts'
import { onDeskChange } from './desk-store.ts'
import { asAppError } from './use-call.ts'

const PAGE = FIRST_WINDOW.limit

/** A long list that is read in windows; rows that are not here yet are undefined. */
export interface ListState<Row, Extra> {
  total: number
  extra: Extra | undefined
  row(index: number): Row | undefined
  /** Tells which rows are on the screen, so that they are fetched and kept fresh. */
  show(first: number, last: number): void
  /** False until the first window has come. */
  isReady: boolean
  error: AppError | undefined
  reload(): void
}

type Window<Row, Extra> = { total: number; rows: Row[] } & Extra

interface Held<Row, Extra> {
  key: string
  total: number
  extra: Extra
  pages: Map<number, Row[]>
}

function withPage<Row, Extra>(
  before: Held<Row, Extra> | undefined,
  { key, page, answer }: { key: string; page: number; answer: Window<Row, Extra> },
): Held<Row, Extra> {
  const { total, rows, ...extra } = answer
  const pages = new Map(before?.key === key ? before.pages : [])
  pages.set(page, rows)
  return { key, total, extra: extra as unknown as Extra, pages }
}

/**
 * Reads a list through `fetchWindow(offset, limit)`. `key` names the query: another key begins anew, keeping the old rows on
 * the screen until the first new window is here. On every change of the desk the visible pages are read again. `takeFirst`
 * gives the first window if it is here already.
 */
export function useList<Row, Extra>(
  key: string,
  fetchWindow: (offset: number, limit: number) => Promise<Window<Row, Extra>>,
  takeFirst?: () => Ahead<Window<Row, Extra>> | undefined,
): ListState<Row, Extra> {
  const [first] = useState(takeFirst)
  const unused = useRef(first)
  const [held, setHeld] = useState(() => first && withPage<Row, Extra>(undefined, { key, page: 0, ...first }))
  const [error, setError] = useState<AppError>()
  const visible = useRef({ first: 0, last: PAGE - 1 })
  const busy = useRef(new Map<string, boolean>())
  const now = useRef({ key, fetchWindow })
  now.current = { key, fetchWindow }

  const fetchPage = useCallback((page: number, listKey: string): void => {
    const id = `${listKey} ${page}`
    // A page that is being read is read once more afterwards, however often it changed meanwhile.
    if (busy.current.has(id)) return void busy.current.set(id, true)
    busy.current.set(id, false)
    now.current
      .fetchWindow(page * PAGE, PAGE)
      .then((answer) => {
        if (now.current.key !== listKey) return
        setError(undefined)
        setHeld((before) => withPage(before, { key: listKey, page, answer }))
      })
      .catch((reason: unknown) => now.current.key === listKey && setError(asAppError(reason)))
      .finally(() => {
        const again = busy.current.get(id) === true
        busy.current.delete(id)
        if (again && now.current.key === listKey) fetchPage(page, listKey)
      })
  }, [])

  const fetchVisible = useCallback(() => {
    const { first, last } = visible.current
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1)
      fetchPage(page, now.current.key)
  }, [fetchPage])

  useEffect(() => {
    visible.current = { first: 0, last: PAGE - 1 }
    const isHere = unused.current?.isFresh() === true
    unused.current = undefined
    if (!isHere) fetchVisible()
  }, [key, fetchVisible])
  useEffect(
    () =>
      onDeskChange(() => {
        const { first, last } = visible.current
        const isVisible = (page: number) =>
          page >= Math.floor(first / PAGE) && page <= Math.floor(last / PAGE)
        // What is not on the screen may be out of date now; it is read again when it is scrolled to.
        setHeld(
          (before) =>
            before && { ...before, pages: new Map([...before.pages].filter(([page]) => isVisible(page))) },
        )
        fetchVisible()
      }),
    [fetchVisible],
  )

  const pages = held?.pages
  const show = useCallback(
    (first: number, last: number) => {
      visible.current = { first, last: Math.max(first, last) }
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1)
        if (pages?.has(page) !== true) fetchPage(page, now.current.key)
    },
    [fetchPage, pages],
  )
  return {
    total: held?.total ?? 0,
    extra: held?.extra,
    row: (index) => held?.pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    show,
    isReady: held !== undefined,
    error,
    reload: fetchVisible,
  }
}

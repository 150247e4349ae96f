import type { ReactNode } from 'react'
import type { Translate } from '../../i18n/i18n.ts'
import { exactText } from '../../../shared/domain/visible.ts'
import type { Tokens } from './colour-messages.ts'
import styles from './Code.module.css'
import type { Marks } from './words.ts'

const KINDS = ['', 'keyword', 'string', 'comment', 'function', 'constant', 'type'] as const

/** A line that is longer was written by a program; a browser takes seconds to draw a megabyte of it. */
const MAX_SHOWN = 10_000

/** The text of a line with its colours and the marks of changed words. Characters that could deceive are made visible. */
export function CodeText({
  text,
  tokens,
  marks,
  t,
}: {
  text: string
  tokens: Tokens | undefined
  marks: Marks | undefined
  t: Translate
}) {
  if (text.length > MAX_SHOWN)
    return (
      <>
        {shown(text.slice(0, MAX_SHOWN))}
        <em className={styles.more}>{t('review.longLine', { count: text.length - MAX_SHOWN })}</em>
      </>
    )
  if (tokens === undefined && marks === undefined) return <>{shown(text)}</>
  const parts: ReactNode[] = []
  for (const { from, to, kind, isMarked } of pieces(text.length, tokens ?? [], marks ?? [])) {
    const name = [
      KINDS[kind] === undefined || KINDS[kind] === '' ? '' : styles[KINDS[kind]],
      isMarked ? styles.marked : '',
    ]
    parts.push(
      <span key={from} className={name.filter(Boolean).join(' ')}>
        {shown(text.slice(from, to))}
      </span>,
    )
  }
  return <>{parts}</>
}

// Tabs are how code is indented; only here they are not a trick.
const shown = (text: string) => exactText(text).replaceAll('␉', '\t')

interface Piece {
  from: number
  to: number
  kind: number
  isMarked: boolean
}

/** Cuts a line where its colour or its mark changes. */
export function pieces(length: number, tokens: Tokens, marks: Marks): Piece[] {
  const cuts = new Set([0, length])
  const kinds: [from: number, to: number, kind: number][] = []
  let at = 0
  for (const [size, kind] of tokens) {
    kinds.push([at, at + size, kind])
    at += size
    if (at < length) cuts.add(at)
  }
  for (const [from, to] of marks) cuts.add(Math.min(from, length)).add(Math.min(to, length))
  const ordered = [...cuts].sort((a, b) => a - b)
  let [token, mark] = [0, 0]
  return ordered.slice(0, -1).map((from, index) => {
    while ((kinds[token]?.[1] ?? Infinity) <= from) token += 1
    while ((marks[mark]?.[1] ?? Infinity) <= from) mark += 1
    const isMarked = (marks[mark]?.[0] ?? Infinity) <= from
    return { from, to: ordered[index + 1] ?? length, kind: kinds[token]?.[2] ?? 0, isMarked }
  })
}

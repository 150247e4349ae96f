import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from '../ui/Button.tsx'
import type { Screen } from './screen.ts'
import styles from './terminal.module.css'

/** Finds text on the screen and above it. Enter goes on, Shift+Enter back, Escape closes. */
export function SearchBar({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const { t } = useText()
  const [text, setText] = useState(() => screen.terminal.getSelection().split('\n')[0]?.slice(0, 200) ?? '')
  const [found, setFound] = useState<{ resultIndex: number; resultCount: number }>()
  const { search } = screen
  useEffect(() => {
    const hearing = search.onDidChangeResults(setFound)
    return () => {
      hearing.dispose()
      search.clearDecorations()
    }
  }, [search])
  useEffect(() => {
    if (text === '') search.clearDecorations()
    else search.findNext(text, { incremental: true, decorations: screen.found })
  }, [search, screen, text])

  const go = (back: boolean) => {
    if (text === '') return
    if (back) search.findPrevious(text, { decorations: screen.found })
    else search.findNext(text, { decorations: screen.found })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') go(event.shiftKey)
    else onClose()
  }
  const count = text === '' || found === undefined ? '' : t('terminal.search.count', countOf(found))
  return (
    <div className={styles.search} role="search" onKeyDown={onKeyDown}>
      <input
        className={styles.field}
        autoFocus
        value={text}
        maxLength={200}
        spellCheck={false}
        aria-label={t('terminal.search.label')}
        placeholder={t('terminal.search.label')}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
      />
      <span className={styles.count} role="status">
        {count}
      </span>
      <IconButton label={t('terminal.search.previous')} onClick={() => go(true)}>
        <ChevronUp size={14} />
      </IconButton>
      <IconButton label={t('terminal.search.next')} onClick={() => go(false)}>
        <ChevronDown size={14} />
      </IconButton>
      <IconButton label={t('terminal.search.close')} onClick={onClose}>
        <X size={14} />
      </IconButton>
    </div>
  )
}

/** More matches than are counted have no index. */
function countOf({ resultIndex, resultCount }: { resultIndex: number; resultCount: number }) {
  return { index: Math.max(0, resultIndex + 1), total: resultCount }
}

import { Keyboard, RotateCw, Search } from 'lucide-react'
import { fromWireError, type WireError } from '../../shared/errors.ts'
import type { TerminalState } from '../../shared/ipc/terminal-calls.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { errorWords } from '../ui/error-words.ts'
import { useSecondsUntil } from '../ui/use-seconds-until.ts'
import styles from './terminal.module.css'

/** The line above a terminal: how it stands, who has the keyboard, and what can be done about either. */
export function StateLine({
  state,
  controlled,
  isNudged,
  onControl,
  onRetry,
  onSearch,
}: {
  state: TerminalState
  controlled: boolean
  /** Somebody typed without having the keyboard. */
  isNudged: boolean
  onControl: (take: boolean) => void
  onRetry: () => void
  onSearch: () => void
}) {
  const { t } = useText()
  const seconds = useSecondsUntil(state.kind === 'lost' ? state.retryAt : undefined)
  const hint = hintOf(state, t)
  const canTake = state.kind === 'live' || state.kind === 'connecting'
  return (
    <div className={styles.line} data-kind={state.kind} data-controlled={controlled} data-nudged={isNudged}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.words} role="status" title={hint}>
        {words(state, controlled, t)}
      </span>
      {seconds === undefined ? null : (
        // Not read out every second.
        <span className={styles.faint} aria-hidden="true">
          {seconds > 0 ? t('terminal.retryIn', { seconds }) : t('terminal.retrying')}
        </span>
      )}
      <span className={styles.space} />
      {state.kind === 'lost' || state.kind === 'ended' ? (
        <Button
          size="small"
          look="quiet"
          className={styles.action}
          icon={<RotateCw size={13} />}
          onClick={onRetry}
        >
          {t(state.kind === 'lost' ? 'terminal.retryNow' : 'terminal.lookAgain')}
        </Button>
      ) : null}
      {canTake ? (
        <Button
          size="small"
          look="quiet"
          className={styles.action}
          icon={<Keyboard size={14} />}
          shortcut="mod+shift+enter"
          aria-pressed={controlled}
          onClick={() => onControl(!controlled)}
        >
          {t(controlled ? 'terminal.giveBack' : 'terminal.take')}
        </Button>
      ) : null}
      <IconButton label={t('terminal.search.open')} className={styles.action} onClick={onSearch}>
        <Search size={14} />
      </IconButton>
    </div>
  )
}

function words(state: TerminalState, controlled: boolean, t: Translate): string {
  switch (state.kind) {
    case 'connecting':
      return t('terminal.connecting')
    case 'live':
      return t(controlled ? 'terminal.yours' : 'terminal.readOnly')
    case 'lost':
      return lostWords(state.error, t)
    case 'ended':
      return state.error === undefined
        ? t('terminal.over')
        : errorWords(fromWireError(state.error), t).sentence
  }
}

/** The agent goes on whatever happens to its picture here, and that comes first. */
function lostWords(error: WireError, t: Translate): string {
  switch (error.code) {
    case 'connection_lost':
    case 'host_unreachable':
    case 'timeout':
      return t('terminal.lost.connection')
    case 'terminal_failed':
      return t('terminal.lost.terminal')
    case 'executor_gone':
      return t('terminal.lost.screen')
    default:
      return errorWords(fromWireError(error), t).sentence
  }
}

function hintOf(state: TerminalState, t: Translate): string | undefined {
  const error = state.kind === 'lost' || state.kind === 'ended' ? state.error : undefined
  if (error === undefined) return undefined
  const { sentence, hint } = errorWords(fromWireError(error), t)
  return [sentence, hint].filter(Boolean).join('\n')
}

import { Keyboard, RotateCw, Search } from 'lucide-react'
import { fromWireError, type WireError } from '../../shared/errors.ts'
import type { TerminalState, WindowView } from '../../shared/ipc/terminal-calls.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { errorWords } from '../ui/error-words.ts'
import { useSecondsUntil } from '../ui/use-seconds-until.ts'
import styles from './terminal.module.css'

type Kind = WindowView['kind']

/** Whether there is a keyboard to take: a shell is the person's own, and keys in a server's log would end the server. */
export function canTake(kind: Kind): boolean {
  return kind === 'agent' || kind === 'other'
}

/** The line above a terminal: how it stands, who has the keyboard, and what can be done about either. */
export function StateLine({
  kind,
  state,
  controlled,
  isNudged,
  onControl,
  onRetry,
  onSearch,
}: {
  kind: Kind
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
  const isTakeable = canTake(kind) && (state.kind === 'live' || state.kind === 'connecting')
  return (
    <div className={styles.line} data-kind={state.kind} data-controlled={controlled} data-nudged={isNudged}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.words} role="status" title={hint}>
        {(kind === 'shell' ? shellWords(state, t) : undefined) ?? words({ kind, state, controlled }, t)}
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
      {isTakeable ? (
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

/** Where the words for an agent would be wrong. */
function shellWords(state: TerminalState, t: Translate): string | undefined {
  switch (state.kind) {
    case 'connecting':
      return t('terminal.shell.connecting')
    case 'live':
      return t('terminal.shell.yours')
    case 'lost':
      return state.error.code === 'executor_gone' ? t('terminal.shell.over') : t('terminal.shell.lost')
    case 'ended':
      return state.error === undefined || state.error.code === 'executor_gone'
        ? t('terminal.shell.over')
        : undefined
  }
}

function words(
  { kind, state, controlled }: { kind: Kind; state: TerminalState; controlled: boolean },
  t: Translate,
): string {
  switch (state.kind) {
    case 'connecting':
      return t('terminal.connecting')
    case 'live':
      if (kind === 'log') return t('terminal.log')
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

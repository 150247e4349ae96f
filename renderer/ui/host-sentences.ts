import { visibleText } from '../../shared/domain/visible.ts'
import { isMessageKey, languageNow, type Translate } from '../i18n/i18n.ts'

/**
 * Sentences that hosts say in English, word for word as agentd and its executors make them, by the name of their words here.
 * What stands in named groups fills the places of those words.
 */
export const HOST_SENTENCES: Readonly<Record<string, RegExp>> = {
  repair_over: /^The task is over; there is no executor to compare with\.$/,
  repair_sought: /^The executor was looked for again\.$/,
  repair_gone: /^opencode is not running\.$/,
  repair_idle: /^opencode is idle; nothing waits for an answer\.$/,
  repair_idle_waiting: /^opencode is idle; (?<number>\d+) waiting for an answer\.$/,
  repair_busy: /^opencode is busy; nothing waits for an answer\.$/,
  repair_busy_waiting: /^opencode is busy; (?<number>\d+) waiting for an answer\.$/,
  repair_retry: /^opencode is retry; .*$/,
  repair_complete: /^Nothing was missing\. It is connected\.$/,
  repair_complete_away: /^Nothing was missing\. It cannot be reached at the moment\.$/,
  repair_told: /^(?<number>\d+) facts were missing and are told now\. It is connected\.$/,
  repair_told_away:
    /^(?<number>\d+) facts were missing and are told now\. It cannot be reached at the moment\.$/,
  pushed: /^Pushed (?<branch>\S+) to (?<remote>.+)\.$/,
  pushed_before: /^(?<remote>.+) has (?<branch>\S+) already\.$/,
  kept_in_place: /^The task worked in place; the tree is on (?<branch>\S+)\.$/,
  kept_uncommitted: /^It has files that are not committed\.$/,
  kept_no_branch: /^Its commit (?<commit>[0-9a-f]+) is on no branch\.$/,
  kept_submodules: /^It has submodules\.$/,
  kept_locked: /^It is locked \(git worktree lock\)\.$/,
  kept_main: /^It is the main working tree of the repository\.$/,
  kept_later: /^It could not be cleaned up yet; see "handoff agentd logs"\.$/,
  kept_failed: /^It could not be removed: (?<text>.*)$/s,
  note_demo: /^scripted, without a model; tmux (?<version>.+)$/,
  note_asks: /^Everything that acts asks, whatever the opencode configuration of this machine allows\.$/,
  note_permission: /^OPENCODE_PERMISSION is set; what it allows is asked all the same\.$/,
}

/** A sentence of a host in the person's language where it is one of those that are known, else as the host said it. */
export function hostSentence(text: string, t: Translate): string {
  const own =
    languageNow() === 'en'
      ? undefined
      : Object.entries(HOST_SENTENCES).find(([, pattern]) => pattern.test(text))
  if (own === undefined) return visibleText(text)
  const key = `sentences.${own[0]}`
  const values = own[1].exec(text)?.groups ?? {}
  const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, visibleText(value)]))
  return isMessageKey(key) ? t(key, shown) : visibleText(text)
}

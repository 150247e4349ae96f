import type { RiskReason } from '../../../shared/domain/risk/types.ts'
import type { PermissionAsk } from '../../../shared/domain/ticket.ts'
import { en } from './words-en.ts'
import { zh } from './words-zh.ts'

/** How many things of each kind; all zero never happens. */
export interface Tally {
  decisions: number
  reviews: number
  troubles: number
}

/** Every text that the tray and notifications say, in one language. */
export interface AttentionWords {
  /** What the machine of the desk is called. */
  thisMachine: string
  /** Why a dangerous request needs the person, as the end of `wants`. */
  dangers: Record<RiskReason, string>
  /** For a reason this version does not know. */
  unknownDanger: string
  /** What a routine request is about, as the end of `wants`. */
  requests: Record<PermissionAsk['action'], string>
  wants(host: string, what: string): string
  asks(host: string): string
  /** What stands for a hidden command or question. */
  hidden: string
  readyForReview(task: string): string
  stalled(task: string): string
  executorOffline(task: string): string
  failed(task: string): string
  hostOffline(host: string): string
  tasksWait(count: number): string
  /** Title of a notification that stands for several. */
  burst(tally: Tally): string
  afterQuiet(tally: Tally): string
  /** One task of such a group, and how many more there are. */
  ofTask(task: string, host: string, count: number): string
  moreTasks(count: number): string
  needYou(count: number): string
  nothing: string
  running(count: number): string
  more(count: number): string
  approve: string
  deny: string
  open: string
  answer: string
  test: { title: string; body: string }
}

const languages: Record<'en' | 'zh', AttentionWords> = { en, zh }

/** The words of a language. */
export function wordsOf(language: 'en' | 'zh'): AttentionWords {
  return languages[language]
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Fact } from '../../shared/domain/fact.ts'
import type { Changes, Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { readTrailer, type Trailer } from '../../shared/domain/trailer.ts'
import { diffTotals } from '../../shared/node/git/diff.ts'
import { completionFacts, differenceText } from '../../shared/node/git/facts.ts'

/** The end of a turn as the engine stores it before git was asked about it. */
export interface EndedTurn {
  key: string
  text: string
}

/** How often git is asked before it is believed that it cannot tell: a lock or a full machine passes. */
const ATTEMPTS = 3
const PAUSE_MS = 300
/** Nobody waits for a result only to learn how large it is. */
const COUNT_TIME_LIMIT_MS = 10_000

type TurnFact = Extract<Fact, { type: 'turn_completed' | 'turn_failed' | 'asked' }>

/**
 * Decides what the end of a turn means: a question (trailer `ask`), a finished round (trailer checked against git), or,
 * without a usable trailer, a finished round if there are new commits, else the whole text as a question.
 */
export async function judgeTurn(
  { task, turn, stopRequested }: { task: Task; turn: EndedTurn; stopRequested: boolean },
  signal: AbortSignal,
): Promise<TurnFact> {
  const trailer = readTrailer(turn.text)
  if (trailer.kind === 'ask') return askFact(task, turn.key, trailer)
  const claimed = trailer.kind === 'done' ? trailer : undefined
  const facts = await askGit(task, claimed, signal)
  if (claimed || facts.commitsSinceBase > 0) {
    const changes = await changesOf(task, facts.head, signal)
    return {
      type: 'turn_completed',
      branch: task.branch,
      commit: facts.head,
      summary: claimed?.summary ?? lastWords(turn.text),
      commits: facts.commitsSinceBase,
      ...(changes === undefined ? {} : { changes }),
      source: claimed ? 'trailer' : 'git',
      differs: facts.differences.map((difference) => ({
        code: difference.code,
        message: differenceText(difference).slice(0, 1_000),
      })),
    }
  }
  if (stopRequested)
    return {
      type: 'turn_failed',
      message: 'The turn was stopped by a denial. The conversation can be continued.',
    }
  return askFact(task, turn.key, {
    kind: 'ask',
    text: lastWords(turn.text),
    options: [],
    topic: 'technical',
    multiple: false,
  })
}

/** Of the whole task. A round is not lost for want of them: a huge diff that takes too long leaves them out. */
function changesOf(task: Task, head: string, signal: AbortSignal): Promise<Changes | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(COUNT_TIME_LIMIT_MS)])
  return diffTotals({ cwd: task.worktree, from: task.base, to: head, signal: limited }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error
      return undefined
    },
  )
}

async function askGit(
  task: Task,
  claimed: Extract<Trailer, { kind: 'done' }> | undefined,
  signal: AbortSignal,
) {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await completionFacts({
        worktreePath: task.worktree,
        base: task.head ?? task.base,
        // What it did not say is taken from the task: the branch it was given is the one that counts.
        claimed: { branch: claimed?.branch ?? task.branch, commit: claimed?.commit },
        signal,
      })
    } catch (error) {
      if (signal.aborted || attempt === ATTEMPTS) throw error
      await delay(PAUSE_MS * attempt, undefined, { signal })
    }
}

/** The end of a turn about which git cannot be asked (the worktree was deleted, the repository moved): the person looks. */
export function unjudged(error: unknown): Extract<TurnFact, { type: 'turn_failed' }> {
  const said = error instanceof AppError ? error.message : String(error)
  return {
    type: 'turn_failed',
    message: `The turn ended, but what it left behind cannot be read: ${said}`.slice(0, 20_000),
  }
}

function askFact(task: Task, key: string, trailer: Extract<Trailer, { kind: 'ask' }>): TurnFact {
  return {
    type: 'asked',
    ticketId: `${task.id}:ask-${key}`,
    audience: trailer.topic === 'product' ? 'user' : 'reviewer',
    ask: {
      kind: 'question',
      text: trailer.text,
      topic: trailer.topic,
      options: trailer.options,
      multiple: trailer.multiple,
    },
  }
}

const lastWords = (text: string): string =>
  text.trim().slice(-20_000) || 'The agent ended its turn without a word.'

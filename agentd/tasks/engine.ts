import type { CallOutput, ParsedInput } from '../../shared/protocol.ts'
import type { CallContext, Presence } from '../server/call-context.ts'
import { createActs } from './acts.ts'
import { createAnswers } from './answers.ts'
import { createDispatch } from './dispatch.ts'
import { createExecution, type ExecutionNeeds } from './execution.ts'
import { createOnce } from './once.ts'
import { createPresentation } from './presentation.ts'
import { createWait } from './wait.ts'
import { createWatchdog } from './watchdog.ts'

/** What the engine is built on. */
export interface EngineNeeds extends ExecutionNeeds {
  presence: Presence
  home: string
  watchdogMs: number
  /** Environment of an executor's processes; rejects with `environment_file`, path and line. */
  environment(executor: string): Promise<Readonly<Record<string, string>>>
}

/** The task engine: everything between a call or an executor's fact and the durable state. */
export function createEngine(needs: EngineNeeds) {
  const { store, facts, judge, presence, now } = needs
  const watchdog = createWatchdog({ ...needs, silentMs: needs.watchdogMs })
  const execution = createExecution(needs)
  const { lifecycle, deliveries, keepTrying } = execution
  const prepare = createDispatch(needs)
  const once = createOnce(needs)

  return {
    answers: createAnswers({ store, facts, judge, now }),
    acts: createActs({ store, facts, lifecycle, deliver: deliveries.kick, now }),
    wait: createWait({ store, facts, presence }),
    presentation: createPresentation({ now }),
    judge,
    once,
    transaction: facts.transaction,

    /** Checks and stores a task, then brings it up in the background. The same request again gets the same task. */
    async dispatch(
      input: ParsedInput<'task.dispatch'>,
      context: CallContext,
    ): Promise<CallOutput<'task.dispatch'>> {
      return once.steps(
        context,
        { call: 'task.dispatch', input },
        {
          async decide(remember: (saved: CallOutput<'task.dispatch'>) => void) {
            const save = await prepare(input, context.actor, context.signal)
            const saved = facts.transaction(() => {
              const result = save()
              remember(result)
              return result
            })
            keepTrying(saved.task.id, lifecycle.bringUp(saved.task.id))
            return saved
          },
          finish: (saved) => Promise.resolve(saved),
        },
      )
    },

    /** Finds every open task's executor again; resolves when each is known to be alive or lost. */
    async recover(): Promise<void> {
      await lifecycle.recoverAll()
      watchdog.check()
    },

    async dispose(): Promise<void> {
      watchdog.dispose()
      await execution.dispose()
    },
  }
}

export type Engine = ReturnType<typeof createEngine>

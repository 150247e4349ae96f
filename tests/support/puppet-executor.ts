import type {
  Delivery,
  DeliveryOutcome,
  ExecutorAdapter,
  ExecutorContext,
  ExecutorFact,
} from '../../agentd/executors/adapter.ts'

/** What a test decides about a puppet's deliveries and life. */
export interface PuppetStrings {
  deliver(delivery: Delivery): DeliveryOutcome
  reattach(): { kind: 'alive' } | { kind: 'gone'; message: string; logTail: string }
}

/** An executor without a program: the test says what it reports and how it takes deliveries. */
export function createPuppet(strings: Partial<PuppetStrings> = {}) {
  const contexts = new Map<string, ExecutorContext>()
  const delivered: Delivery[] = []
  const opened: string[] = []
  const all: PuppetStrings = {
    deliver: () => ({ kind: 'delivered' }),
    reattach: () => ({ kind: 'alive' }),
    ...strings,
  }
  const puppet = {
    /** What happens next; a test may change it at any time. */
    strings: all,
    /** Every delivery that was attempted. */
    delivered,
    /** Task ids in the order in which sessions were opened. */
    opened,
    report(taskId: string, fact: ExecutorFact): void {
      const context = contexts.get(taskId)
      if (!context) throw new Error(`no session of ${taskId} is open`)
      context.report(fact)
    },
    /** Asks for the permission to run a command. */
    ask(taskId: string, requestId: string, text = 'ls'): void {
      const ask = { action: 'command' as const, text }
      puppet.report(taskId, { type: 'permission', key: `ask-${requestId}`, requestId, ask })
    },
    adapter: {
      name: 'puppet',
      capabilities: { denyWithMessage: true, promptWhileBusy: true },
      check: () => Promise.resolve({ available: true, notes: [] }),
      open(context) {
        const { taskId } = context.task
        contexts.set(taskId, context)
        opened.push(taskId)
        return {
          start: () => Promise.resolve({ session: `puppet-${taskId.slice(0, 8)}` }),
          reattach: () => Promise.resolve(all.reattach()),
          deliver: (delivery) => {
            delivered.push(delivery)
            return Promise.resolve(all.deliver(delivery))
          },
          abort: () => Promise.resolve(),
          reconcile: () => Promise.resolve('Nothing was missing.'),
          stop: () => Promise.resolve(),
          dispose: () => undefined,
        }
      },
    } satisfies ExecutorAdapter,
  }
  return puppet
}

export type Puppet = ReturnType<typeof createPuppet>

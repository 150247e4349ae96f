import { z } from 'zod'
import { AppError } from '../../shared/errors.ts'
import { isOver, shortId } from '../../shared/domain/task.ts'
import { wakes, type EventType } from '../../shared/domain/event.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { usageError, type AddCommand, type Context } from '../context.ts'
import { taskRefOf } from '../hosts/find-task.ts'
import type { Found } from '../hosts/fleet.ts'
import { createFollowPlaces } from '../hosts/follow-places.ts'
import { callAgain, isConnectionTrouble } from '../hosts/retry.ts'
import { eventWords } from '../output/event-words.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { eventOut, syncAfterRound } from '../tasks/event-out.ts'
import { follow } from '../tasks/follow.ts'
import { notify } from '../tasks/notify.ts'
import { syncWords } from '../tasks/sync-back.ts'
import { secondsOption } from '../tasks/tickets.ts'
import { waitNext, type WaitGroup, type Woken } from '../tasks/wait-next.ts'

/** Exit code of a wait that ran out of time, as `timeout` of the coreutils has it. */
export const EXIT_TIMEOUT = 124

interface Options {
  timeout?: string
  notify?: true
  follow?: true
  untilDone?: true
}

/** `handoff wait`: blocks until something needs the reviewer and prints it as one JSON line. */
export const addWait: AddCommand = (program, runner) => {
  program
    .command('wait')
    .description('wait until a task needs you; prints one JSON event')
    .argument('[task...]', 'which tasks (default: all, on every host)')
    .option('--timeout <seconds>', 'give up after so long (exit code 124)')
    .option('--notify', 'also show a desktop notification')
    .option('--follow', 'one JSON line for every event, until the tasks are over')
    .option('--until-done', 'silent until the tasks are over; exit code 0 when they were completed')
    .addHelpText(
      'after',
      '\nExamples:\n  handoff wait 3fa2\n  handoff wait --timeout 540 || echo "nothing yet"',
    )
    .action(runner.run(wait))
}

async function wait(context: Context, options: Options, refs: string[]): Promise<number | void> {
  if (options.follow === true && options.untilDone === true)
    throw usageError('--follow and --until-done are two ways to wait.', 'Give one of them.')
  if (options.untilDone === true && refs.length === 0)
    throw usageError('--until-done needs a task.', 'handoff wait TASK --until-done')
  const timeoutMs = options.timeout === undefined ? undefined : secondsOption(options.timeout, '--timeout')
  const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const timed = {
    ...context,
    signal: late === undefined ? context.signal : AbortSignal.any([context.signal, late]),
  }
  try {
    const found = await findAll(timed, refs)
    if (options.follow === true) return await followAll(timed, found, options)
    if (options.untilDone === true) return await untilDone(timed, found, options)
    return await waitOnce(timed, found, options)
  } catch (error) {
    if (
      late?.aborted === true &&
      !context.signal.aborted &&
      error instanceof AppError &&
      error.code === 'cancelled'
    )
      return EXIT_TIMEOUT
    throw error
  }
}

/** Finds the tasks; a host that is away now may be back soon, so that a wait begins even then. */
async function findAll(
  context: Context,
  refs: readonly string[],
): Promise<(Pick<Found, 'host'> & { taskId: string })[]> {
  const found = []
  for (const ref of refs) {
    try {
      const { host, task } = await context.fleet.findTask(ref)
      found.push({ host, taskId: task.id })
    } catch (error) {
      const known = knownPlace(context, ref, error)
      if (known === undefined) throw error
      found.push(known)
    }
  }
  return found
}

/** Where a task lives whose host cannot be asked now. */
function knownPlace(
  { dispatched }: Context,
  ref: string,
  error: unknown,
): { host: string; taskId: string } | undefined {
  if (!(error instanceof AppError) || !isConnectionTrouble(error)) return undefined
  const seen = z.object({ host: z.string(), task: z.object({ id: z.string() }) }).safeParse(error.details)
  if (seen.success) return { host: seen.data.host, taskId: seen.data.task.id }
  const [only, ...others] = dispatched.find(taskRefOf(ref))
  return only === undefined || others.length > 0 ? undefined : only
}

function groupsOf(context: Context, found: readonly { host: string; taskId: string }[]): WaitGroup[] {
  if (found.length === 0) return context.fleet.names().map((host) => ({ host, taskIds: [] }))
  const hosts = [...new Set(found.map(({ host }) => host))]
  return hosts.map((host) => ({
    host,
    taskIds: found.filter((one) => one.host === host).map((one) => one.taskId),
  }))
}

function troubleNotes({ out }: Context) {
  return (host: string, error: AppError | undefined) =>
    out.note(
      error === undefined
        ? `${out.errorStyle.green('✓')} ${host} is back`
        : `${out.errorStyle.yellow('!')} ${host} cannot be reached (${visibleLine(error.message)}); trying again until it is back`,
    )
}

async function waitOnce(
  context: Context,
  found: { host: string; taskId: string }[],
  options: Options,
): Promise<void> {
  const progress = context.out.errorIsTerminal ? context.out.progress('Waiting for an event') : undefined
  const woken = await waitNext({
    ...context,
    groups: groupsOf(context, found),
    consumer: context.clientId,
    until: 'wake',
    onTrouble: troubleNotes(context),
  }).finally(() => progress?.stop())
  await print(context, woken, options)
  // Only now: a wait that was killed before it had printed has lost nothing.
  await acknowledge(context, woken.host, woken.answer.event)
}

/** Tells a host what was printed. That it cannot be told now takes nothing from what was printed. */
async function acknowledge(context: Context, host: string, event: WireEvent): Promise<void> {
  const { out, clientId } = context
  try {
    const seen = { consumer: clientId, seq: event.seq, taskId: event.taskId }
    await callAgain({ ...context, host }, 'events.ack', seen)
  } catch (error) {
    if (!isConnectionTrouble(error)) throw error
    out.note(
      `${out.errorStyle.yellow('!')} ${host} went away before it heard that this event was seen; the next wait may print it again.`,
    )
  }
}

async function print(context: Context, { host, client, answer }: Woken, options: Options): Promise<void> {
  const { event, task, audience } = answer
  const sync = await syncAfterRound(context, { host, client, event, task })
  context.known.note(host, task)
  await context.out.jsonLine(eventOut({ host, event, audience, task, sync }))
  if (context.out.errorIsTerminal && context.out.isTerminal) {
    context.out.note(
      `${context.out.errorStyle.bold(shortId(task.id))} ${visibleLine(task.title)}: ${eventWords(event)}`,
    )
    if (sync !== undefined) context.out.note(syncWords(sync))
  }
  if (options.notify === true) await tell(context, event, task.title)
}

async function tell({ out }: Context, event: WireEvent, title: string): Promise<void> {
  const problem = await notify({ title, text: eventWords(event) })
  if (problem !== undefined) out.note(`${out.errorStyle.yellow('!')} No notification: ${problem}`)
}

/** Silent until every task is over; the person's place in the stream of events stays where it is. */
async function untilDone(
  context: Context,
  found: { host: string; taskId: string }[],
  options: Options,
): Promise<number> {
  let failed = false
  for (const { host, taskId } of found) {
    const woken = await waitNext({
      ...context,
      groups: [{ host, taskIds: [taskId] }],
      consumer: context.clientId,
      until: 'over',
      onTrouble: () => undefined,
    })
    await print(context, woken, options)
    failed ||= woken.answer.task.state !== 'completed'
  }
  return failed ? 1 : 0
}

async function followAll(
  context: Context,
  found: { host: string; taskId: string }[],
  options: Options,
): Promise<number> {
  const places = createFollowPlaces(context.home, context.clientId)
  const trouble = troubleNotes(context)
  // From here on each host has the one connection that listens.
  await context.fleet.close()
  const tasks = await Promise.all(
    groupsOf(context, found).map(({ host, taskIds }) =>
      follow({
        connector: context.connector,
        host,
        taskIds,
        positionOf: places.get,
        signal: context.signal,
        onTrouble: (error) => trouble(host, error),
        acknowledge: async (client, { type, seq, taskId }) => {
          if (wakes(type as EventType))
            await client.call('events.ack', { consumer: context.clientId, seq, taskId })
        },
        async print(client, event, task) {
          const sync =
            isOver(task.state) || event.type === 'completed'
              ? await syncAfterRound(context, { host, client, event, task })
              : undefined
          await context.out.jsonLine(eventOut({ host, event, audience: undefined, task, sync }))
          places.set(event)
          if (options.notify === true && event.type !== 'progress') await tell(context, event, task.title)
        },
      }),
    ),
  )
  return tasks.flat().every((task) => task.state === 'completed') ? 0 : 1
}

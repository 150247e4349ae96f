import { AppError } from '../../shared/errors.ts'
import type { EventBody } from '../../shared/domain/event.ts'
import { diffPaint } from '../output/ticket-text.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { newRequestId } from '../request-id.ts'
import type { Play } from './play.ts'

/** A finished round: checked against git, looked at, then sent back or accepted. True when the task is over. */
export async function playReview(
  scene: Play,
  body: EventBody<'completed'>,
  continueText: string,
): Promise<boolean> {
  const { narrator, id, decider } = scene
  await checkCommit(scene, body)
  const step = body.round === 1 ? 'completed' : 'second_round'
  await narrator.explain(
    `Round ${body.round} is finished`,
    body.summary === '' ? 'The executor says that it is done.' : body.summary,
    `handoff show ${id}`,
  )
  await narrator.seen(
    step,
    { commit: body.commit.slice(0, 10), commits: body.commits, round: body.round },
    `handoff wait ${id}`,
  )
  await showDiff(scene, body.round)
  if ((await decider.afterReview(body.round)) === 'continue') {
    await sendBack(scene, continueText)
    return false
  }
  await finish(scene)
  return true
}

/** The event's word is not enough: branch and commit must be in the repository. */
async function checkCommit({ stage, task }: Play, body: EventBody<'completed'>): Promise<void> {
  const tip = await stage.git('rev-parse', '--verify', `refs/heads/${body.branch}`)
  const ahead = Number(await stage.git('rev-list', '--count', `${task.base}..${body.branch}`))
  if (tip.trim() === body.commit && ahead >= body.round) return
  throw new AppError({
    code: 'internal',
    message: `git does not agree: ${body.branch} is at ${tip.trim()} with ${ahead} commits, the event says ${body.commit}.`,
  })
}

async function showDiff({ client, task, context, narrator, id }: Play, round: number): Promise<void> {
  const command = round === 1 ? `handoff diff ${id}` : `handoff diff ${id} --round ${round}`
  await narrator.explain('Look at it', 'What this round changed:', command)
  const chunks: Uint8Array[] = []
  await client.call(
    'task.diff',
    { task: task.id, mode: 'full', round },
    { onChunk: (data) => void chunks.push(data) },
  )
  const text = visibleText(Buffer.concat(chunks).toString('utf8')).trimEnd()
  if (text === '') throw new AppError({ code: 'internal', message: 'The diff is empty.' })
  if (!context.out.json)
    await context.out.line(
      text
        .split('\n')
        .map((line) => `   ${diffPaint(line, context.out.style)}`)
        .join('\n'),
    )
  if (round === 1) await narrator.seen('diff', { lines: text.split('\n').length }, command)
}

async function sendBack({ client, task, narrator, id }: Play, text: string): Promise<void> {
  const [first = ''] = text.split('\n')
  const command = `handoff continue ${id} '${first}'`
  await narrator.explain('Send it back', 'The same session goes on, with what is still missing.', command)
  const { task: after } = await client.call('task.continue', {
    requestId: newRequestId(),
    task: task.id,
    text,
  })
  await narrator.seen('continue', { round: after.round }, command)
}

async function finish({ client, task, narrator, id, stage }: Play): Promise<void> {
  await narrator.explain(
    'Accept it',
    'The worktree goes, the branch stays in the repository.',
    `handoff done ${id}`,
  )
  const { task: after, worktree } = await client.call('task.done', {
    requestId: newRequestId(),
    task: task.id,
    push: false,
    keepWorktree: false,
  })
  if (after.state !== 'completed')
    throw new AppError({ code: 'internal', message: `The task is ${after.state}, not completed.` })
  await stage.git('rev-parse', '--verify', `refs/heads/${after.branch}`)
  await narrator.seen('done', { branch: after.branch, worktree }, `handoff done ${id}`)
  const { entries } = await client.call('audit.list', { task: task.id, limit: 1_000 })
  await narrator.explain(
    'Who decided what',
    'Every decision is kept, with the exact text that was decided on.',
    `handoff audit ${id}`,
  )
  if (entries.length === 0) throw new AppError({ code: 'internal', message: 'The audit log is empty.' })
  await narrator.seen('audit', { decisions: entries.length }, `handoff audit ${id}`)
}

import { useEffect, useRef, useState } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { useHostLabel } from '../app/host-words.ts'
import { call, subscribe } from '../bridge/bridge.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { TextField } from '../ui/Fields.tsx'
import { useJob } from '../ui/use-job.ts'
import { plainOutput } from './plain-output.ts'
import styles from './Review.module.css'

const MAX_SHOWN = 400_000

/** Runs a command in the task's worktree, usually its tests, and shows what it prints. */
export function RunPanel({ host, taskId, repo }: { host: string; taskId: string; repo: string }) {
  const { t } = useText()
  const label = useHostLabel(host)
  const place = `handoff.run.${repo}`
  const [command, setCommand] = useState(() => localStorage.getItem(place) ?? '')
  const run = useRun(host, taskId)
  const box = useRef<HTMLPreElement>(null)
  // In newer browsers scrollTo answers a promise, which an effect may not return.
  useEffect(() => void box.current?.scrollTo({ top: box.current.scrollHeight }), [run.output])
  const go = () => {
    localStorage.setItem(place, command)
    run.start(command)
  }
  return (
    <section className={styles.run} aria-label={t('review.runTitle', { host: label })}>
      <form
        className={styles.runBar}
        onSubmit={(event) => {
          event.preventDefault()
          if (command.trim() !== '' && !run.isRunning) go()
        }}
      >
        <TextField
          autoFocus
          value={command}
          maxLength={textLimits.command}
          spellCheck={false}
          placeholder={t('review.runHint')}
          aria-label={t('review.runField')}
          title={t('review.runNote')}
          onChange={(event) => setCommand(event.target.value)}
        />
        <span role="status">
          {run.isRunning ? t('review.running') : run.ended === undefined ? '' : endWords(run.ended, t)}
        </span>
        {run.isRunning ? (
          <Button onClick={run.stop}>{t('review.runStop')}</Button>
        ) : (
          <Button disabled={command.trim() === ''} onClick={go}>
            {t('review.runGo')}
          </Button>
        )}
      </form>
      {run.error === undefined ? null : <ErrorNote error={run.error} />}
      <pre ref={box} className={styles.output} tabIndex={0} aria-label={t('review.output')}>
        {run.output}
      </pre>
    </section>
  )
}

function endWords({ exitCode, signal, timedOut }: IpcOutput<'task.run'>, t: Translate): string {
  if (timedOut) return t('review.timedOut')
  if (signal !== null) return t('review.killed', { signal })
  return exitCode === 0 ? t('review.exitOk') : t('review.exit', { code: exitCode ?? '?' })
}

function useRun(host: string, taskId: string) {
  const [output, setOutput] = useState('')
  const [ended, setEnded] = useState<IpcOutput<'task.run'>>()
  const { run, stop, isRunning, error, current } = useJob(async (jobId, command: string) => {
    setOutput('')
    setEnded(undefined)
    setEnded(await call('task.run', { host, taskId, jobId, command }))
  })
  useEffect(
    () =>
      subscribe('run.output', (piece) => {
        if (piece.jobId === current.current)
          setOutput((before) => plainOutput(before + piece.chunk).slice(-MAX_SHOWN))
      }),
    [current],
  )
  return { output, ended, error, isRunning, start: run, stop }
}

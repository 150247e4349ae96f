import { useEffect, useId, useState, type ReactNode } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { useDesk, useHosts } from '../bridge/desk-store.ts'
import { useCall } from '../bridge/use-call.ts'
import { call } from '../bridge/bridge.ts'
import { tellFailure } from '../bridge/failures.ts'
import { hostLabel, useHostState } from '../app/host-words.ts'
import { executorProblem } from '../hosts/executor-words.ts'
import { useText, type MessageKey } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { BaseField } from './BaseField.tsx'
import { FolderChooser } from './FolderChooser.tsx'
import styles from './NewTask.module.css'
import { PlanField } from './PlanField.tsx'
import type { Check } from './use-check.ts'
import type { useDraft } from './use-draft.ts'
import { errorWords } from '../ui/error-words.ts'
import { Select, TextField } from '../ui/Fields.tsx'

/** How long after a failure the host is asked again for its executors. */
const ASK_AGAIN_MS = 3_000

/** The fields of a new task. */
export function NewTaskForm({ draft, check }: { draft: ReturnType<typeof useDraft>; check: Check }) {
  const { t } = useText()
  const { value, set } = draft
  const repo = check.result?.repo
  return (
    <div className={styles.form}>
      <PlanField value={value.plan} onChange={(plan) => set({ plan })} />
      <RepoField draft={draft} problems={check.result?.problems.filter(isNotSaidBelow)} />
      <div className={styles.pair}>
        <HostField draft={draft} problems={check.result?.problems} />
        {/* While none is chosen yet, the list itself says why. */}
        <ExecutorField draft={draft} problems={value.executor === '' ? [] : check.result?.problems} />
      </div>
      <div className={styles.pair}>
        <Field label={t('newTask.base')} field="base" problems={check.result?.problems}>
          {(id) => <BaseField id={id} repo={repo} value={value.base} onChange={(base) => set({ base })} />}
        </Field>
        <Field label={t('newTask.where')} field="worktree" problems={check.result?.problems}>
          {(id) => (
            <Select
              id={id}
              value={value.inPlace ? 'in_place' : 'worktree'}
              disabled={value.host !== 'local'}
              onChange={(event) => set({ inPlace: event.target.value === 'in_place' })}
            >
              <option value="worktree">{t('newTask.worktree')}</option>
              <option value="in_place">{t('newTask.inPlace')}</option>
            </Select>
          )}
        </Field>
      </div>
      {repo === undefined || repo.dirtyCount === 0 ? null : (
        <div className={styles.dirty}>
          <p title={repo.dirty.join('\n')}>
            {t('newTask.dirty', { count: repo.dirtyCount, repo: repo.name })}
          </p>
          <label>
            <input
              type="checkbox"
              checked={value.takeDirty}
              onChange={(event) => set({ takeDirty: event.target.checked })}
            />
            {t(value.inPlace ? 'newTask.allowDirty' : 'newTask.includeDirty', { count: repo.dirtyCount })}
          </label>
        </div>
      )}
      {check.error === undefined ? null : <ErrorNote error={check.error} />}
    </div>
  )
}

type Problems = IpcOutput<'task.check'>['problems'] | undefined

/** That files stay behind stands below, with what can be done about it. */
const isNotSaidBelow = ({ level, error }: NonNullable<Problems>[number]): boolean =>
  level === 'stop' || error.code !== 'git.dirty'

function Field({
  label,
  field,
  problems,
  children,
}: {
  label: string
  field: 'host' | 'repo' | 'executor' | 'base' | 'worktree'
  problems: Problems
  children: (id: string) => ReactNode
}) {
  const { t } = useText()
  const id = useId()
  const own = problems?.filter((problem) => problem.field === field) ?? []
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {own.map(({ level, error }) => {
        const { sentence, hint, details } = errorWords(error, t)
        return (
          <p
            key={error.code + sentence}
            className={level === 'stop' ? styles.stop : styles.warn}
            role="status"
            title={details}
          >
            {sentence}
            {hint === undefined ? null : <span>{hint}</span>}
          </p>
        )
      })}
    </div>
  )
}

function RepoField({ draft, problems }: { draft: ReturnType<typeof useDraft>; problems: Problems }) {
  const { t } = useText()
  const canPick = useDesk((desk) => desk.can.pickFolder)
  const { data: recent } = useCall('repo.recent', {})
  const [isChoosing, setChoosing] = useState(false)
  const listId = useId()
  const first = recent?.paths[0]
  const { value, set } = draft
  useEffect(() => {
    if (value.repoPath === '' && first !== undefined) set({ repoPath: first })
    // Only the first time that the recent ones are known; an emptied field stays empty.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it must not run again when the field is emptied
  }, [first])
  const browse = () => {
    if (!canPick) return setChoosing(true)
    call('folder.pick', {}).then(({ path }) => path !== undefined && set({ repoPath: path }), tellFailure)
  }
  return (
    <>
      <Field label={t('newTask.repo')} field="repo" problems={problems}>
        {(id) => (
          <span className={styles.inline}>
            <TextField
              id={id}
              value={value.repoPath}
              placeholder={t('newTask.repoHint')}
              list={listId}
              spellCheck={false}
              onChange={(event) => set({ repoPath: event.target.value })}
            />
            <Button onClick={browse}>{t('newTask.browse')}</Button>
            <datalist id={listId}>
              {recent?.paths.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </span>
        )}
      </Field>
      {isChoosing ? (
        <FolderChooser
          start={value.repoPath}
          onClose={() => setChoosing(false)}
          onChoose={(repoPath) => (set({ repoPath }), setChoosing(false))}
        />
      ) : null}
    </>
  )
}

function HostField({ draft, problems }: { draft: ReturnType<typeof useDraft>; problems: Problems }) {
  const { t } = useText()
  const hosts = useHosts()
  const { value, set } = draft
  const chosen = hosts.find((host) => host.name === value.host) ?? hosts[0]
  const state = useHostState(chosen?.state ?? { kind: 'connecting' })
  return (
    <Field
      label={`${t('newTask.host')}${chosen === undefined || chosen.state.kind === 'live' ? '' : ` (${state})`}`}
      field="host"
      problems={problems}
    >
      {(id) => (
        <Select
          id={id}
          value={value.host}
          onChange={(event) => set({ host: event.target.value, inPlace: false, executor: '' })}
        >
          {hosts.map((host) => (
            <option key={host.name} value={host.name}>
              {hostLabel(host, t)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function ExecutorField({ draft, problems }: { draft: ReturnType<typeof useDraft>; problems: Problems }) {
  const { t } = useText()
  const { value, set } = draft
  const isLive = useHosts().some((host) => host.name === value.host && host.state.kind === 'live')
  const { data, error, reload } = useCall('host.executors', isLive ? { host: value.host } : undefined)
  useEffect(() => {
    if (error === undefined) return
    // A host that has just started may need longer than a call waits to find its executors.
    const timer = setTimeout(reload, ASK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [error, reload])
  const usable = data?.executors.filter((executor) => executor.available) ?? []
  const first = (usable.find((executor) => executor.name !== 'demo') ?? usable[0])?.name
  const isKnown = usable.some((executor) => executor.name === value.executor)
  useEffect(() => {
    if (first !== undefined && !isKnown) set({ executor: first })
  })
  return (
    <Field label={t('newTask.executor')} field="executor" problems={problems}>
      {(id) => (
        <>
          <Select
            id={id}
            value={value.executor}
            disabled={usable.length === 0}
            onChange={(event) => set({ executor: event.target.value })}
          >
            {usable.length === 0 ? (
              <option value="">
                {t(executorWord({ isLive, isKnown: data !== undefined, failed: error !== undefined }))}
              </option>
            ) : null}
            {data?.executors.map(({ name, version, available }) => (
              <option key={name} value={name} disabled={!available}>
                {[name, version].filter(Boolean).join(' ')}
              </option>
            ))}
          </Select>
          {data?.executors.map((executor) => {
            const problem = executor.available ? undefined : executorProblem(executor, t)
            return problem === undefined ? null : (
              <p key={executor.name} className={styles.note}>
                {problem}
              </p>
            )
          })}
        </>
      )}
    </Field>
  )
}

/** What stands in the list while there is no executor to choose. */
function executorWord(look: { isLive: boolean; isKnown: boolean; failed: boolean }): MessageKey {
  if (!look.isLive || look.isKnown) return 'newTask.noExecutor'
  return look.failed ? 'newTask.executorsLate' : 'common.loading'
}

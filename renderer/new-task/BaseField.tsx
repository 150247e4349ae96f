import { useState } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { useText } from '../i18n/i18n.ts'
import { Select, TextField } from '../ui/Fields.tsx'

const OTHER = '\0other'

/** Where the work starts: where the repository is, one of its branches, or anything that git understands. */
export function BaseField({
  id,
  repo,
  value,
  onChange,
}: {
  id: string
  repo: IpcOutput<'task.check'>['repo']
  value: string
  onChange: (base: string) => void
}) {
  const { t } = useText()
  const [isOther, setOther] = useState(false)
  if (isOther)
    return (
      <TextField
        id={id}
        autoFocus
        value={value}
        placeholder={t('newTask.baseField')}
        spellCheck={false}
        onBlur={() => value === '' && setOther(false)}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  const choose = (chosen: string) => {
    if (chosen !== OTHER) return onChange(chosen)
    onChange('')
    setOther(true)
  }
  const here = repo?.branch ?? repo?.head.slice(0, 10) ?? ''
  const distance = [
    repo?.ahead === undefined || repo.ahead === 0 ? '' : t('newTask.ahead', { count: repo.ahead }),
    repo?.behind === undefined || repo.behind === 0 ? '' : t('newTask.behind', { count: repo.behind }),
  ].filter(Boolean)
  const others = repo?.branches.filter((branch) => branch !== repo.branch) ?? []
  return (
    <Select
      id={id}
      value={value}
      disabled={repo === undefined}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">
        {repo === undefined ? '—' : [t('newTask.baseHead', { branch: here }), ...distance].join(' · ')}
      </option>
      {value !== '' && !others.includes(value) ? <option value={value}>{value}</option> : null}
      {others.map((branch) => (
        <option key={branch} value={branch}>
          {branch}
        </option>
      ))}
      <option value={OTHER}>{t('newTask.baseOther')}</option>
    </Select>
  )
}

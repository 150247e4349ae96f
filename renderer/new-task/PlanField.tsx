import { useId, useState, type DragEvent } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { useText } from '../i18n/i18n.ts'
import styles from './NewTask.module.css'

/** The plan: typed, pasted, or a text file that is dropped on it. */
export function PlanField({ value, onChange }: { value: string; onChange: (plan: string) => void }) {
  const { t } = useText()
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [note, setNote] = useState('')
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files[0]
    setOver(false)
    if (file === undefined) return
    event.preventDefault()
    void readPlan(file).then((read) => {
      if (read.kind === 'text') onChange(read.text)
      setNote(
        t(
          read.kind === 'text'
            ? 'newTask.planFile'
            : read.kind === 'too_big'
              ? 'newTask.planTooBig'
              : 'newTask.planNotText',
          { name: file.name },
        ),
      )
    })
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('newTask.plan')}</label>
      <textarea
        id={id}
        autoFocus
        rows={7}
        className={isOver ? styles.over : ''}
        value={value}
        placeholder={t('newTask.planHint')}
        onChange={(event) => onChange(event.target.value)}
        onDragOver={(event) => (event.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      />
      {note === '' ? null : (
        <p className={styles.note} role="status">
          {note}
        </p>
      )}
    </div>
  )
}

async function readPlan(
  file: File,
): Promise<{ kind: 'text'; text: string } | { kind: 'too_big' } | { kind: 'not_text' }> {
  if (file.size > textLimits.plan) return { kind: 'too_big' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? { kind: 'not_text' } : { kind: 'text', text }
  } catch {
    // Not UTF-8, or the file went away while it was read: either way there is no plan in it.
    return { kind: 'not_text' }
  }
}

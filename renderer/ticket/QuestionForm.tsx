import { useId, useState } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import type { QuestionAsk } from '../../shared/domain/ticket.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { isCovered } from './covered.ts'
import styles from './TicketCard.module.css'
import type { Decide } from './use-decide.ts'

const NUMBER_KEYS = 9

/** Answers a question: with its options, or in the person's own words. What is written counts instead of what is chosen. */
export function QuestionForm({ ask, decide }: { ask: QuestionAsk; decide: Decide }) {
  const { t } = useText()
  const fieldId = useId()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const words = text.trim()
  const canSend = (words !== '' || chosen.size > 0) && !decide.isBusy
  const toggle = (label: string) => {
    setText('')
    setChosen((before) => {
      if (!ask.multiple) return new Set([label])
      const after = new Set(before)
      if (!after.delete(label)) after.add(label)
      return after
    })
  }
  const send = () => {
    const labels = ask.options.map((option) => option.label).filter((label) => chosen.has(label))
    decide.send(words === '' ? { kind: 'options', labels } : { kind: 'text', text: words })
  }
  const byKey = (event: KeyboardEvent) => {
    if (!event.repeat && !isCovered()) send()
  }
  const isTyping = words !== ''
  // In another field of the window the same keys send what stands there.
  useShortcut('mod+enter', canSend ? byKey : undefined, { whileTyping: isTyping })
  return (
    <>
      {ask.options.length === 0 ? null : (
        <Options ask={ask} chosen={words === '' ? chosen : new Set()} onToggle={toggle} />
      )}
      <div className={styles.answer}>
        <label htmlFor={fieldId}>
          {ask.options.length === 0 ? t('ticket.answerField') : t('ticket.ownWords')}
        </label>
        <TextArea
          id={fieldId}
          rows={ask.options.length === 0 ? 3 : 1}
          maxLength={textLimits.answer}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className={styles.actions}>
        <Button look="primary" shortcut="mod+enter" disabled={!canSend} busy={decide.isBusy} onClick={send}>
          {decide.isBusy ? t('ticket.sending') : t('ticket.send')}
        </Button>
      </div>
    </>
  )
}

function Options({
  ask,
  chosen,
  onToggle,
}: {
  ask: QuestionAsk
  chosen: ReadonlySet<string>
  onToggle: (label: string) => void
}) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className={styles.options}>
      <legend className={ask.multiple ? styles.legend : 'visually-hidden'}>
        {ask.multiple ? t('ticket.several') : t('ticket.options')}
      </legend>
      {ask.options.map(({ label, description }, index) => (
        <label key={label} className={styles.option}>
          <input
            type={ask.multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.has(label)}
            onChange={() => onToggle(label)}
          />
          <span>
            {visibleLine(label)}
            {description === undefined ? null : <small>{visibleText(description)}</small>}
          </span>
          {index < NUMBER_KEYS ? <NumberKey number={index + 1} onPress={() => onToggle(label)} /> : null}
        </label>
      ))}
    </fieldset>
  )
}

function NumberKey({ number, onPress }: { number: number; onPress: () => void }) {
  useShortcut(String(number), () => {
    if (!isCovered()) onPress()
  })
  return (
    <kbd className={styles.number} aria-hidden="true">
      {number}
    </kbd>
  )
}

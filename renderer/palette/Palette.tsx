import { Command } from 'cmdk'
import { ArrowRight, ChevronRight, ListChecks, ShieldAlert } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { taskRoute, ticketRoute } from '../../shared/ipc/routes.ts'
import type { InboxRow } from '../../shared/ipc/views.ts'
import { useCall } from '../bridge/use-call.ts'
import { useHostLabels } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { kindIcons } from '../ticket/TicketHead.tsx'
import { askedWords } from '../ticket/ticket-words.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useCommands, type CommandEntry } from './entries.ts'
import { fit } from './match.ts'
import styles from './Palette.module.css'

const FOUND = 8

/** Everything that can be done or opened, by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const [text, setText] = useState('')
  const commands = useCommands()
  const hostName = useHostLabels()
  const { data: waiting } = useCall('inbox.window', { limit: FOUND, section: 'needs_you' })
  const { data: tasks } = useCall('task.window', {
    limit: FOUND,
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  })
  const firstNeed = waiting?.rows.find((row) => row.outbox === undefined)
  const [chosen, setChosen] = useChosen(firstNeed === undefined ? undefined : needsValue(firstNeed), text)
  const run = (action: () => void) => {
    onClose()
    action()
  }
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content className={styles.palette} aria-describedby={undefined}>
          <Radix.Title className="visually-hidden">{t('palette.title')}</Radix.Title>
          <Command label={t('palette.title')} loop filter={fit} value={chosen} onValueChange={setChosen}>
            <Command.Input
              className={styles.input}
              value={text}
              onValueChange={setText}
              placeholder={t('palette.hint')}
              maxLength={textLimits.search}
            />
            <Command.List className={`${styles.list} shaded`}>
              <Command.Empty className={styles.empty}>{t('palette.none')}</Command.Empty>
              {waiting === undefined || waiting.rows.length === 0 ? null : (
                <Command.Group heading={t('palette.groups.needs')}>
                  {waiting.rows.map((row) => (
                    <Entry
                      key={row.key}
                      value={needsValue(row)}
                      icon={<NeedIcon row={row} />}
                      label={t('palette.openNeed', { text: askedWords(row.kind, visibleLine(row.title), t) })}
                      note={visibleLine(row.taskTitle)}
                      onRun={() =>
                        run(() =>
                          navigate(
                            row.ticketId === undefined
                              ? taskRoute(row.host, row.taskId)
                              : ticketRoute(row.host, { id: row.ticketId, taskId: row.taskId }),
                          ),
                        )
                      }
                    />
                  ))}
                </Command.Group>
              )}
              <CommandGroup
                heading={t('palette.groups.do')}
                entries={commands.filter((one) => one.group === 'do')}
                run={run}
              />
              <CommandGroup
                heading={t('palette.groups.go')}
                entries={commands.filter((one) => one.group === 'go')}
                run={run}
              />
              {tasks === undefined || tasks.rows.length === 0 ? null : (
                <Command.Group heading={t('palette.groups.tasks')}>
                  {tasks.rows.map((row) => (
                    <Entry
                      key={row.key}
                      // The services have searched already: whatever was typed must not hide what they found.
                      value={`task ${row.key} ${text} ${row.title}`}
                      icon={<ListChecks size={15} strokeWidth={1.75} />}
                      label={visibleLine(row.title)}
                      note={`${visibleLine(row.repoName)} · ${hostName(row.host)}`}
                      onRun={() => run(() => navigate(taskRoute(row.host, row.taskId)))}
                    />
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function needsValue({ key, title, taskTitle }: InboxRow): string {
  return `needs ${key} ${title} ${taskTitle}`.trim()
}

/** What Enter would do: what waits longest for the person, as soon as it is known, unless they have typed or moved on. */
function useChosen(first: string | undefined, text: string) {
  const [chosen, setChosen] = useState('')
  const isUntouched = useRef(true)
  if (text !== '') isUntouched.current = false
  useEffect(() => {
    if (first !== undefined && isUntouched.current) setChosen(first)
  }, [first])
  return [chosen, setChosen] as const
}

function CommandGroup({
  heading,
  entries,
  run,
}: {
  heading: string
  entries: readonly CommandEntry[]
  run: (action: () => void) => void
}) {
  return (
    <Command.Group heading={heading}>
      {entries.map((entry) => (
        <Entry
          key={entry.id}
          value={`${entry.id} ${entry.label}`}
          icon={
            entry.group === 'go' ? (
              <ArrowRight size={15} strokeWidth={1.75} />
            ) : (
              <ChevronRight size={15} strokeWidth={1.75} />
            )
          }
          label={entry.label}
          keys={entry.keys}
          onRun={() => run(entry.run)}
        />
      ))}
    </Command.Group>
  )
}

function NeedIcon({ row }: { row: InboxRow }) {
  const { kind, riskReason } = row
  if (riskReason !== undefined) return <ShieldAlert size={15} strokeWidth={1.75} className={styles.danger} />
  const Icon = kind === 'stalled' || kind === 'offline' || kind === 'failed' ? ListChecks : kindIcons[kind]
  return <Icon size={15} strokeWidth={1.75} className={styles.accent} />
}

function Entry({
  value,
  icon,
  label,
  note,
  keys,
  onRun,
}: {
  value: string
  icon: ReactNode
  label: string
  note?: string
  keys?: string | undefined
  onRun: () => void
}) {
  return (
    <Command.Item className={styles.item} value={value} onSelect={onRun}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={styles.label}>{label}</span>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </Command.Item>
  )
}

import type { MessageKey } from '../i18n/i18n.ts'
import { useText } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import styles from './KeysDialog.module.css'

const GROUPS: [MessageKey, [keys: string, label: MessageKey][]][] = [
  [
    'palette.keyGroups.all',
    [
      ['mod+k', 'palette.key.palette'],
      ['n', 'palette.key.newTask'],
      ['mod+1', 'palette.key.inbox'],
      ['mod+2', 'palette.key.tasks'],
      ['mod+3', 'palette.key.hosts'],
      ['mod+4', 'palette.key.settings'],
      ['?', 'palette.key.keys'],
      ['escape', 'palette.key.close'],
    ],
  ],
  [
    'palette.keyGroups.list',
    [
      ['j', 'palette.key.next'],
      ['k', 'palette.key.previous'],
      ['enter', 'palette.key.open'],
      ['/', 'palette.key.filter'],
    ],
  ],
  [
    'palette.keyGroups.ticket',
    [
      ['mod+enter', 'palette.key.approve'],
      ['mod+backspace', 'palette.key.deny'],
      ['1 2 3', 'palette.key.option'],
    ],
  ],
  [
    'palette.keyGroups.review',
    [
      [']', 'palette.key.nextFile'],
      ['[', 'palette.key.previousFile'],
      ['v', 'palette.key.viewed'],
      ['up down', 'palette.key.lines'],
      ['c', 'palette.key.comment'],
      ['mod+enter', 'palette.key.sendBack'],
    ],
  ],
  [
    'palette.keyGroups.terminal',
    [
      ['mod+shift+enter', 'palette.key.takeKeyboard'],
      ['mod+f', 'palette.key.find'],
      ['mod+shift+l', 'palette.key.newShell'],
      ['mod+shift+pagedown', 'palette.key.nextTerminal'],
      ['mod+shift+pageup', 'palette.key.previousTerminal'],
    ],
  ],
]

/** All keys, by place. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  return (
    <Dialog title={t('palette.keysTitle')} width={720} onClose={onClose}>
      <div className={styles.groups}>
        {GROUPS.map(([title, keys]) => (
          <section key={title}>
            <h2>{t(title)}</h2>
            <dl>
              {keys.map(([combination, label]) => (
                <div key={combination + label}>
                  <dt>{t(label)}</dt>
                  <dd>
                    {combination.split(' ').map((keys) => (
                      <Kbd key={keys} keys={keys} isCap />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

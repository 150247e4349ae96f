import type { ComponentType } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { AdvancedSection } from './AdvancedSection.tsx'
import { AppearanceSection } from './AppearanceSection.tsx'
import { AuditSection } from './AuditSection.tsx'
import { NotificationsSection } from './NotificationsSection.tsx'
import { RulesSection } from './RulesSection.tsx'
import styles from './Settings.module.css'
import { ShortcutsSection } from './ShortcutsSection.tsx'
import { TerminalSection } from './TerminalSection.tsx'

const SECTIONS = {
  appearance: AppearanceSection,
  notifications: NotificationsSection,
  rules: RulesSection,
  audit: AuditSection,
  shortcuts: ShortcutsSection,
  terminal: TerminalSection,
  advanced: AdvancedSection,
} as const satisfies Record<string, ComponentType>
type SectionId = keyof typeof SECTIONS

const isSection = (text: string | undefined): text is SectionId =>
  text !== undefined && Object.hasOwn(SECTIONS, text)

/** What the person may choose, look up and take back. A change counts at once. */
export function SettingsScreen({ parts }: { parts: string[] }) {
  const { t } = useText()
  const current = isSection(parts[0]) ? parts[0] : 'appearance'
  const Section = SECTIONS[current]
  return (
    <div className={styles.screen}>
      <nav className={styles.list} aria-label={t('settings.title')}>
        <h1>{t('settings.title')}</h1>
        {(Object.keys(SECTIONS) as SectionId[]).map((id) => (
          <button
            key={id}
            type="button"
            className={id === current ? styles.on : ''}
            aria-current={id === current ? 'page' : undefined}
            onClick={() => navigate(routeTo('settings', id), { replace: true })}
          >
            {t(`settings.section.${id}`)}
          </button>
        ))}
      </nav>
      <section className={styles.body} aria-label={t(`settings.section.${current}`)}>
        <h2>{t(`settings.section.${current}`)}</h2>
        <Section />
      </section>
    </div>
  )
}

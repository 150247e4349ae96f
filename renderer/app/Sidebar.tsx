import { Plus, Search } from 'lucide-react'
import { memo } from 'react'
import { useCounts, useHosts } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { openNewTask, openPalette } from '../palette/open.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { HostLine } from './HostLine.tsx'
import { navigate } from './navigation.ts'
import { sections, type Section } from './routes.tsx'
import styles from './Sidebar.module.css'

/** The sections that exist, and the hosts with how they are doing. */
export const Sidebar = memo(function Sidebar({ current }: { current: string }) {
  const { t } = useText()
  const hosts = useHosts()
  const top = sections.filter((section) => section.atBottom !== true)
  const bottom = sections.filter((section) => section.atBottom === true)
  return (
    <nav className={styles.side} aria-label={t('app.sidebar')}>
      <button type="button" className={styles.nav} onClick={openPalette}>
        <Search size={15} aria-hidden="true" />
        {t('app.search')}
        <span className={styles.end}>
          <Kbd keys="mod+k" />
        </span>
      </button>
      <button type="button" className={styles.nav} onClick={openNewTask}>
        <Plus size={15} aria-hidden="true" />
        {t('app.newTask')}
        <span className={styles.end}>
          <Kbd keys="n" />
        </span>
      </button>
      <div className={styles.gap} />
      {top.map((section) => (
        <SectionLink key={section.id} section={section} isCurrent={section.id === current} />
      ))}
      <h2 className={styles.group}>{t('app.hosts')}</h2>
      <ul className={styles.hosts}>
        {hosts.map((host) => (
          <HostLine key={host.name} host={host} />
        ))}
      </ul>
      <span className={styles.space} />
      {bottom.map((section) => (
        <SectionLink key={section.id} section={section} isCurrent={section.id === current} />
      ))}
    </nav>
  )
})

function SectionLink({ section, isCurrent }: { section: Section; isCurrent: boolean }) {
  const { t } = useText()
  const counts = useCounts()
  const badge = section.badge?.(counts) ?? 0
  const Icon = section.icon
  return (
    <button
      type="button"
      className={`${styles.nav} ${isCurrent ? styles.on : ''}`}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => navigate(`/${section.id}`)}
    >
      <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
      {t(section.label)}
      {badge > 0 ? <b className={styles.badge}>{badge > 999 ? '999+' : badge}</b> : null}
    </button>
  )
}

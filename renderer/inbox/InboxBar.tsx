import { ChevronDown } from 'lucide-react'
import { inboxSections } from '../../shared/ipc/sections.ts'
import { hostLabel } from '../app/host-words.ts'
import { useCounts, useHosts } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { FilterField } from '../ui/FilterField.tsx'
import { Menu, MenuChoice, MenuLine } from '../ui/Menu.tsx'
import styles from './InboxBar.module.css'
import { OfflineHosts } from './OfflineHosts.tsx'
import { isFiltering, NO_FILTER, type InboxFilter } from './use-inbox.ts'

/** The head of the list: which part of it is shown, and words to find something by. */
export function InboxBar({
  filter,
  onFilter,
}: {
  filter: InboxFilter
  onFilter: (filter: InboxFilter) => void
}) {
  const { t } = useText()
  return (
    <header className={styles.head}>
      <div className={styles.bar}>
        <h1 className={styles.title}>
          <FilterMenu filter={filter} onFilter={onFilter} />
        </h1>
        <FilterField
          value={filter.text}
          label={t('inbox.filter')}
          clearLabel={t('inbox.clear')}
          onChange={(text) => onFilter({ ...filter, text })}
          onClear={isFiltering(filter) ? () => onFilter(NO_FILTER) : undefined}
        />
      </div>
      <OfflineHosts only={filter.host} />
    </header>
  )
}

function FilterMenu({ filter, onFilter }: { filter: InboxFilter; onFilter: (filter: InboxFilter) => void }) {
  const { t } = useText()
  const hosts = useHosts()
  const counts = useCounts()
  const sizes = {
    needs_you: counts.needsYou,
    reviewer: counts.reviewer,
    to_review: counts.toReview,
    offline: counts.offline,
  }
  const host = hosts.find((one) => one.name === filter.host)
  const words = [
    filter.section === undefined ? t('inbox.title') : t(`inbox.section.${filter.section}`),
    ...(host === undefined ? [] : [hostLabel(host, t)]),
  ]
  return (
    <Menu
      trigger={
        <button type="button" className={styles.menu} title={t('inbox.filterMenu')}>
          <span>{words.join(' · ')}</span>
          <ChevronDown size={13} aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice
        checked={filter.section === undefined}
        onSelect={() => onFilter({ ...filter, section: undefined })}
      >
        {t('inbox.all')}
      </MenuChoice>
      {inboxSections.map((section) => (
        <MenuChoice
          key={section}
          checked={filter.section === section}
          note={sizes[section]}
          onSelect={() => onFilter({ ...filter, section })}
        >
          {t(`inbox.section.${section}`)}
        </MenuChoice>
      ))}
      {hosts.length < 2 ? null : (
        <>
          <MenuLine />
          <MenuChoice
            checked={filter.host === undefined}
            onSelect={() => onFilter({ ...filter, host: undefined })}
          >
            {t('inbox.allHosts')}
          </MenuChoice>
          {hosts.map((one) => (
            <MenuChoice
              key={one.name}
              checked={filter.host === one.name}
              note={one.needsYou > 0 ? one.needsYou : undefined}
              onSelect={() => onFilter({ ...filter, host: one.name })}
            >
              {hostLabel(one, t)}
            </MenuChoice>
          ))}
        </>
      )}
    </Menu>
  )
}

import { useId } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { Coded } from '../ui/Coded.tsx'
import { TextField } from '../ui/Fields.tsx'
import { addressOf, isReadableOnTheWay, nameOf } from './address-words.ts'
import styles from './AddHostDialog.module.css'

/** What the form says of the new host. */
export interface HostDraft {
  where: string
  /** As the person typed it; until then the name follows the address. */
  name: string | undefined
  token: string
  sshConfig: string
  wantsInstall: boolean
}

/** The fields of a new host. What does not apply to its kind of address is not shown. */
export function AddHostForm({
  id,
  draft,
  set,
  onSubmit,
}: {
  /** By which a button outside of it submits it. */
  id: string
  draft: HostDraft
  set: (change: Partial<HostDraft>) => void
  /** Undefined while nothing can be added. */
  onSubmit: (() => void) | undefined
}) {
  const { t } = useText()
  const { data: suggested } = useCall('host.suggest', {})
  const ids = { where: useId(), name: useId(), list: useId() }
  return (
    <form
      id={id}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      <label htmlFor={ids.where}>{t('hosts.addWhere')}</label>
      <TextField
        id={ids.where}
        autoFocus
        value={draft.where}
        list={ids.list}
        placeholder={t('hosts.addWhereHint')}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => set({ where: event.target.value })}
      />
      <datalist id={ids.list}>
        {suggested?.names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p>{t('hosts.addNote')}</p>
      <label htmlFor={ids.name}>{t('hosts.addName')}</label>
      <TextField
        id={ids.name}
        value={draft.name ?? nameOf(draft.where)}
        maxLength={textLimits.hostName}
        onChange={(event) => set({ name: event.target.value })}
      />
      {addressOf(draft.where).startsWith('ssh://') ? (
        <SshFields draft={draft} set={set} />
      ) : (
        <TokenField draft={draft} set={set} />
      )}
    </form>
  )
}

function SshFields({ draft, set }: { draft: HostDraft; set: (change: Partial<HostDraft>) => void }) {
  const { t } = useText()
  const id = useId()
  return (
    <>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={draft.wantsInstall}
          onChange={(event) => set({ wantsInstall: event.target.checked })}
        />
        <span>
          {t('hosts.addInstall')}
          <small>{t('hosts.addInstallNote')}</small>
        </span>
      </label>
      <details>
        <summary>{t('hosts.addMore')}</summary>
        <label htmlFor={id}>{t('hosts.addConfig')}</label>
        <TextField
          id={id}
          value={draft.sshConfig}
          onChange={(event) => set({ sshConfig: event.target.value })}
        />
      </details>
    </>
  )
}

function TokenField({ draft, set }: { draft: HostDraft; set: (change: Partial<HostDraft>) => void }) {
  const { t } = useText()
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{t('hosts.addToken')}</label>
      <TextField
        id={id}
        type="password"
        autoComplete="off"
        value={draft.token}
        onChange={(event) => set({ token: event.target.value.trim() })}
      />
      <p>
        <Coded text={t('hosts.tokenText')} />
      </p>
      {isReadableOnTheWay(draft.where) ? <p role="alert">{t('hosts.readable')}</p> : null}
    </>
  )
}

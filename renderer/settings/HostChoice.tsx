import { hostLabel } from '../app/host-words.ts'
import { useHosts } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { Select } from '../ui/Fields.tsx'

/** Which host's rules or decisions are shown; nothing to choose with one host. */
export function HostChoice({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (host: string) => void
}) {
  const { t } = useText()
  const hosts = useHosts()
  if (hosts.length < 2) return null
  return (
    <Select value={value} aria-label={label} onChange={(event) => onChange(event.target.value)}>
      {hosts.map((host) => (
        <option key={host.name} value={host.name}>
          {hostLabel(host, t)}
        </option>
      ))}
    </Select>
  )
}

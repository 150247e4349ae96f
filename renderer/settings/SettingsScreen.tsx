/** Its screen. */
export function SettingsScreen({ parts }: { parts: string[] }) {
  return <div>{parts.join('/')}</div>
}

/** Its screen. */
export function HostsScreen({ parts }: { parts: string[] }) {
  return <div>{parts.join('/')}</div>
}

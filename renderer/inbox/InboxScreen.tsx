/** Its screen. */
export function InboxScreen({ parts }: { parts: string[] }) {
  return <div>{parts.join('/')}</div>
}

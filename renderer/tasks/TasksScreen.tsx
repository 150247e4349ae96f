/** Its screen. */
export function TasksScreen({ parts }: { parts: string[] }) {
  return <div>{parts.join('/')}</div>
}

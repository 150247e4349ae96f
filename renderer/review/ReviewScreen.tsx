/** The changes of a task, to be judged. */
export function ReviewScreen({ host, taskId }: { host: string; taskId: string }) {
  return (
    <div>
      {host} {taskId}
    </div>
  )
}

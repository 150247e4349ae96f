import { z } from 'zod'

/** Why the list of hosts, or the address of one in it, cannot be read, in one sentence for a person. */
export function whyUnreadable(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof z.ZodError) {
    const [issue] = cause.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    return `${place}${issue?.message ?? 'it has another form'}`
  }
  return cause instanceof Error ? cause.message : String(cause)
}

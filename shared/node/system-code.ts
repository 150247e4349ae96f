/** The code that Node, the system or SQLite put on an error (`ENOENT`, `SQLITE_BUSY`); undefined for what carries none: a bug. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

import { open, rm } from 'node:fs/promises'

/** What a pane is to run. `environment` is complete and may hold secrets: it goes through a 0600 file and nothing else. */
export interface PaneSpec {
  argv: readonly string[]
  cwd: string
  environment: Readonly<Record<string, string>>
}

/** Writes a specification for `paneCommand`, readable by its owner only; the pane deletes it when it has read it. */
export async function writePaneSpec(path: string, spec: PaneSpec): Promise<void> {
  await rm(path, { force: true })
  // `wx`: a file or link that somebody put there meanwhile is not followed.
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(JSON.stringify(spec))
  } finally {
    await file.close()
  }
}

import { app } from 'electron'
import type { Words } from '../services/words/words.ts'

/** Fills the About panel: versions a person is asked for when they report something, and how secrets are kept. */
export function fillAboutPanel({
  version,
  protection,
  words,
}: {
  version: string
  protection: 'system' | 'files'
  words: Words
}): void {
  const { electron = '?', chrome = '?', node } = process.versions
  const lines = [
    `Electron ${electron} · Chromium ${chrome} · Node ${node}`,
    `${process.platform} ${process.arch}`,
    words(protection === 'system' ? 'shell.secretsInSystem' : 'shell.secretsInFiles'),
  ]
  app.setAboutPanelOptions({
    applicationName: 'Handoff',
    applicationVersion: version,
    // On macOS `version` stands in brackets behind it; there is no build number to say.
    version: '',
    copyright: 'MIT License',
    // `credits` is shown on macOS and Windows, `website` and `authors` on Linux; the versions must be seen everywhere.
    credits: lines.join('\n'),
    authors: lines,
  })
}

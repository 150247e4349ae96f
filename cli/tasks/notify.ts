import { execa } from 'execa'
import { visibleLine } from '../../shared/domain/visible.ts'

/** The program and arguments that show a desktop notification, or undefined where none is known. */
export function notificationCommand(
  platform: NodeJS.Platform,
  { title, text }: { title: string; text: string },
): string[] | undefined {
  const [safeTitle, safeText] = [visibleLine(title).slice(0, 120), visibleLine(text).slice(0, 300)]
  if (platform === 'darwin') {
    // The texts are arguments of the script, never part of it.
    const script = [
      'on run argv',
      'display notification (item 1 of argv) with title (item 2 of argv)',
      'end run',
    ]
    return ['osascript', ...script.flatMap((line) => ['-e', line]), '--', safeText, safeTitle]
  }
  if (platform !== 'linux') return undefined
  // The body is read as markup by notification daemons.
  const body = safeText.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  return ['notify-send', '--app-name=Handoff', '--', safeTitle, body]
}

/** Shows a desktop notification; returns why it could not, in words. A notification never holds up what it tells about. */
export async function notify(texts: { title: string; text: string }): Promise<string | undefined> {
  const [file, ...args] = notificationCommand(process.platform, texts) ?? []
  if (file === undefined) return 'this system has no known notification program'
  const result = await execa(file, args, { reject: false, timeout: 5_000, stdin: 'ignore' })
  if (!result.failed) return undefined
  return result.code === 'ENOENT'
    ? `${file} is not installed`
    : `${file} failed: ${visibleLine(result.stderr).slice(0, 200)}`
}

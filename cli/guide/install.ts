import { existsSync, mkdirSync, realpathSync, rmSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { readIfThere, writePrivateFile } from '../../shared/node/private-file.ts'
import { GUIDE } from './text.ts'

/** Assistants whose instruction files are known. */
export const ASSISTANTS = ['claude', 'codex', 'opencode'] as const
export type Assistant = (typeof ASSISTANTS)[number]

const BEGIN =
  '<!-- handoff:begin (written by `handoff guide --install`; remove with `handoff guide --remove`) -->'
const BEGIN_MARK = '<!-- handoff:begin'
const END = '<!-- handoff:end -->'

const SKILL_HEAD = `---
name: handoff
description: Hand a plan to another coding agent (here or on another machine) with the handoff command, review what it does, answer its questions and take the result back. Use when work shall be delegated, or when a handoff task waits.
---

`

interface GuidePlace {
  path: string
  /** A file of its own, or a block inside a file that the person also writes. */
  kind: 'file' | 'block'
}

/** Where an assistant looks for instructions (its own documentation), honouring its settings for another home. */
export function placeOf(
  assistant: Assistant,
  userHome: string,
  env: Readonly<Record<string, string | undefined>>,
): GuidePlace {
  const set = (name: string) => (env[name] === '' ? undefined : env[name])
  switch (assistant) {
    case 'claude':
      return {
        kind: 'file',
        path: join(set('CLAUDE_CONFIG_DIR') ?? join(userHome, '.claude'), 'skills/handoff/SKILL.md'),
      }
    case 'codex':
      return { kind: 'block', path: join(set('CODEX_HOME') ?? join(userHome, '.codex'), 'AGENTS.md') }
    case 'opencode':
      return {
        kind: 'block',
        path: join(set('XDG_CONFIG_HOME') ?? join(userHome, '.config'), 'opencode/AGENTS.md'),
      }
  }
}

/** What writing or removing the guide changed. */
export type InstallOutcome = 'installed' | 'updated' | 'unchanged' | 'removed' | 'not_installed'

/** Writes or renews the guide at its place in one step; everything else in the file stays byte for byte. */
export function installGuide({ path, kind }: GuidePlace): InstallOutcome {
  const before = readIfThere(path)
  const block = `${BEGIN}\n${GUIDE}${END}\n`
  let after: string
  if (kind === 'file') {
    if (before !== undefined && !before.includes(BEGIN_MARK)) throw notOurs(path)
    after = `${SKILL_HEAD}${block}`
  } else after = mergeBlock(before ?? '', block, path)
  if (after === before) return 'unchanged'
  writeThrough(path, after)
  return before?.includes(BEGIN_MARK) === true ? 'updated' : 'installed'
}

/** Takes the guide away again; a file that held nothing else goes too. */
export function removeGuide({ path, kind }: GuidePlace): InstallOutcome {
  const before = readIfThere(path)
  if (before === undefined || !before.includes(BEGIN_MARK)) return 'not_installed'
  const after = kind === 'file' ? '' : mergeBlock(before, '', path)
  if (after === '') {
    rmSync(path)
    if (kind === 'file') removeEmptyFolder(dirname(path))
  } else writeThrough(path, after)
  return 'removed'
}

/** Replaces our block, or adds it at the end after one empty line. Throws when the marks are damaged. */
export function mergeBlock(text: string, block: string, path: string): string {
  const begin = text.indexOf(BEGIN_MARK)
  if (begin < 0) {
    if (block === '') return text
    const gap = text === '' ? '' : text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return `${text}${gap}${block}`
  }
  const end = text.indexOf(END, begin)
  if (end < 0 || text.indexOf(BEGIN_MARK, begin + 1) >= 0) throw damaged(path)
  const rest = text.slice(end + END.length).replace(/^\n/, '')
  const before = text.slice(0, begin)
  // The empty line that was put before the block goes with it.
  return block === '' ? (rest === '' ? before.replace(/\n\n$/, '\n') : before + rest) : before + block + rest
}

function writeThrough(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  // A link (dotfiles kept in a repository) stays a link, and the file keeps its mode.
  const target = existsSync(path) ? realpathSync(path) : path
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o644
  writePrivateFile(target, text, { mode })
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!(
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
    ))
      throw error
  }
}

function notOurs(path: string): AppError {
  return new AppError({
    code: 'bad_request',
    message: `${path} exists and was not written by Handoff.`,
    hint: 'Move it away, then run this again.',
  })
}

function damaged(path: string): AppError {
  return new AppError({
    code: 'bad_request',
    message: `The marks of Handoff's part in ${path} are damaged, so it was not touched.`,
    hint: `Remove everything from “${BEGIN_MARK}” to “${END}” by hand, then run this again.`,
  })
}

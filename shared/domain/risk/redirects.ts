import { MARK } from './marks.ts'
import { after, isStatement, type Outcome, type Run, type Walker } from './outcome.ts'
import { heredocDelimiter } from './readable.ts'
import { type Input, joinStates, type State } from './session.ts'
import { runCommand } from './simple.ts'
import { checkRead, checkWrite } from './targets.ts'
import { type ShellNode } from './types.ts'
import { resolveHeredoc, resolveText, resolveWord } from './word.ts'

/** Judges what one redirect opens. */
export function walkRedirect(walker: Walker, node: ShellNode, state: State): void {
  const target = node.children.find((child) => child.isNamed && child.type !== 'file_descriptor')
  const operator = node.children.find((child) => !child.isNamed)?.text ?? ''
  if (!target || node.type === 'herestring_redirect') return
  if (/^[<>]&/.test(operator) && /^\d+-?$/.test(target.text)) return
  for (const value of resolveWord(target, walker.scope(state)).flat()) {
    const word = { ...walker.place(target), value }
    if (target.type === 'process_substitution') continue
    if (operator.includes('>'))
      checkWrite(walker.session, state, { word, kind: { deletes: false, tree: false } })
    else if (/^\/dev\/(tcp|udp)\//.test(value)) walker.session.report('data_send', word)
    else checkRead(walker.session, state, word)
  }
}

function heredocInput(walker: Walker, node: ShellNode, state: State): Input {
  const part = (type: string) => node.children.find((child) => child.type === type)
  const body = part('heredoc_body')
  const delimiter = heredocDelimiter(part('heredoc_start')?.text ?? '')
  if (!body || !delimiter) return { kind: 'text', texts: [''], download: false }
  if (!delimiter.quoted) walker.substitutions(body, state)
  return { kind: 'text', texts: resolveHeredoc(body, delimiter.quoted, walker.scope(state)), download: false }
}

/** What a here-string gives to the command it stands at. */
export function herestringInput(walker: Walker, node: ShellNode, state: State): Input {
  const text = node.children.find((child) => child.isNamed && child.type !== 'file_descriptor')
  return { kind: 'text', texts: text ? resolveText(text, walker.scope(state)) : [''], download: false }
}

const REDIRECTS = new Set(['file_redirect', 'heredoc_redirect', 'herestring_redirect'])

/** A statement with redirects behind it, and what follows a heredoc on its first line. */
export function walkRedirected(walker: Walker, node: ShellNode, run: Run): Outcome {
  const { state } = run
  const { session } = walker
  const body = node.children.find((child) => isStatement(child) && !REDIRECTS.has(child.type))
  const extra: ShellNode[] = []
  const tail: ShellNode[] = []
  let input = run.input
  const downloadsBefore = session.downloads
  const look = (redirect: ShellNode) => {
    if (redirect.type === 'file_redirect') {
      walker.substitutions(redirect, state)
      walker.redirect(redirect, state)
      if (redirect.children.some((child) => child.text === '<'))
        input = { kind: 'file', texts: [], download: session.downloads > downloadsBefore }
      extra.push(
        ...redirect.children.filter((child) => child.isNamed && child.type !== 'file_descriptor').slice(1),
      )
    } else if (redirect.type === 'herestring_redirect') {
      walker.substitutions(redirect, state)
      input = herestringInput(walker, redirect, state)
    } else if (redirect.type === 'heredoc_redirect') {
      input = heredocInput(walker, redirect, state)
      for (const child of redirect.children) {
        if (REDIRECTS.has(child.type)) look(child)
        else if (!child.isNamed) {
          if (child.text === '||' || child.text === '&&') tail.push(child)
        } else if (tail.length > 0 || child.type === 'pipeline') tail.push(child)
        else if (!/^(heredoc_|file_descriptor)/.test(child.type)) extra.push(child)
      }
    }
  }
  for (const child of node.children) look(child)
  let outcome: Outcome = { ok: state, fail: state }
  if (body?.type === 'command') outcome = runCommand(walker, body, { state, input, extra })
  else {
    if (extra.length > 0) session.report('unreadable', walker.place(node))
    if (body) outcome = walker.walk(body, state, input)
  }
  return walkTail(walker, tail, { outcome, state, download: session.downloads > downloadsBefore })
}

/** What stands behind `<<EOF` on the same line: `| next` or `&& next`. */
function walkTail(
  walker: Walker,
  tail: readonly ShellNode[],
  done: { outcome: Outcome; state: State; download: boolean },
): Outcome {
  const { outcome, state, download } = done
  const [first, second] = tail
  if (first?.type === 'pipeline') {
    const stages = first.children.filter(isStatement)
    return walker.pipeline(stages, {
      state,
      input: { kind: 'pipe', texts: [], download, listing: outcome.listing },
    })
  }
  if (!second) return outcome
  const isAnd = first?.text === '&&'
  const right = walker.walk(second, (isAnd ? outcome.ok : outcome.fail) ?? state)
  const end = joinStates(after(outcome, state), after(right, state), MARK.unknown)
  return { ok: isAnd ? right.ok : end, fail: end }
}

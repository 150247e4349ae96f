import { MARK } from './marks.ts'
import { type Frame, type Input, joinStates, type Span, type Session, type State } from './session.ts'
import { type ShellNode } from './types.ts'
import { type WordScope } from './word.ts'

/** Where a statement starts from. */
export type Run = { state: State; input: Input }

/** What is known after a statement: when it succeeded, when it failed. `undefined`: it does not come back. */
export type Outcome = {
  ok: State | undefined
  fail: State | undefined
  listing?: readonly string[] | undefined
}

/** Walks a tree of shell source and hands every simple command, with its words and redirects, to the rules. */
export type Walker = {
  session: Session
  frame: Frame
  walk: (node: ShellNode, state: State, input?: Input) => Outcome
  /** Walks the commands inside the substitutions of `node`. */
  substitutions: (node: ShellNode, state: State) => void
  scope: (state: State) => WordScope
  place: (node: ShellNode) => Span
  /** Reads a text as a script of its own; everything is reported at `at`. */
  nested: (
    text: string,
    at: Span,
    run: { state: State; positional?: readonly string[] | undefined },
  ) => Outcome
  redirect: (node: ShellNode, state: State) => void
  /** The stages of a pipeline, each fed by the one before. */
  pipeline: (stages: readonly ShellNode[], run: Run) => Outcome
  /** The same walker inside a function that was called with these words. */
  called: (positional: readonly string[]) => Walker
}

/** A state where a statement has run, whether it worked or not. */
export function after(outcome: Outcome, before: State): State {
  return joinStates(outcome.ok, outcome.fail, MARK.unknown) ?? before
}

/** Whether a node is something that runs. */
export function isStatement(node: ShellNode): boolean {
  return node.isNamed && node.type !== 'comment'
}

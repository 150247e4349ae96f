/** Lint rules of this project that no package offers. Their tests: tests/lint-rules.test.ts. */

/** Comments that switch a check off. `prettier-ignore` is not among them: Prettier takes it only without further words. */
const SUPPRESSION =
  /(?:eslint-disable(?:-next-line|-line)?\b|@ts-(?:expect-error|ignore|nocheck)\b|v8 ignore\b)/
const REASON = /\s--\s+\S.*\S/s

const suppressionReason = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { missing: 'A suppression ends with its reason: "… -- why".' },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const mark = SUPPRESSION.exec(comment.value)
          // A sentence that merely mentions a suppression does not begin with one.
          if (!mark || comment.value.slice(0, mark.index).trim() !== '') continue
          if (!REASON.test(comment.value)) context.report({ loc: comment.loc, messageId: 'missing' })
        }
      },
    }
  },
}

/**
 * Counts a function's own lines of code: without blank lines, comments and the functions written inside it. A factory
 * that returns an object of ten small functions is short, although ESLint's own max-lines-per-function sums them up.
 */
const functionLength = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }],
    messages: { long: 'This function has {{count}} lines of its own; {{max}} is the limit. Split it.' },
  },
  create(context) {
    const max = context.options[0]?.max ?? 40
    const open = []
    const enter = (node) => open.push({ node, nested: 0 })
    const leave = () => {
      const { node, nested } = open.pop()
      const total = codeLines(context.sourceCode, node)
      const count = total - nested
      if (count > max) context.report({ loc: node.loc, messageId: 'long', data: { count, max } })
      const parent = open.at(-1)
      // The line on which a nested function begins belongs to its parent as well.
      if (parent) parent.nested += Math.max(0, total - 1)
    }
    const functions = 'FunctionDeclaration, FunctionExpression, ArrowFunctionExpression'
    return { [functions]: enter, [`:matches(${functions}):exit`]: leave }
  },
}

function codeLines(sourceCode, node) {
  const lines = new Set()
  for (const token of sourceCode.getTokens(node))
    for (let line = token.loc.start.line; line <= token.loc.end.line; line++) lines.add(line)
  return lines.size
}

// Attributes that people read or hear.
const READ_ATTRIBUTES = new Set([
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'label',
  'placeholder',
  'title',
])
// A letter of any script; signs, numbers and the product's name are the same in every language.
const hasWords = (text) => /\p{L}/u.test(text.replaceAll('Handoff', ''))

/** Text on a screen comes from renderer/i18n, so that it exists in every language. */
const textInWords = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'Text that people read belongs into renderer/i18n: {{text}}' },
  },
  create(context) {
    const check = (node, text) => {
      if (hasWords(text))
        context.report({ node, messageId: 'literal', data: { text: text.trim().slice(0, 40) } })
    }
    return {
      JSXText: (node) => check(node, node.value),
      'JSXElement > JSXExpressionContainer > Literal': (node) =>
        typeof node.value === 'string' && check(node, node.value),
      JSXAttribute(node) {
        if (!READ_ATTRIBUTES.has(node.name.name)) return
        const value = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value
        if (value?.type === 'Literal' && typeof value.value === 'string') check(node, value.value)
        if (value?.type === 'TemplateLiteral') for (const part of value.quasis) check(node, part.value.raw)
      },
    }
  },
}

/** The plugin as ESLint takes it. */
export const handoffRules = {
  rules: {
    'suppression-reason': suppressionReason,
    'function-length': functionLength,
    'text-in-words': textInWords,
  },
}

import { AppError } from '../../shared/errors.ts'

interface Reader {
  path: string
  lines: string[]
  /** Index of the line that is read. */
  at: number
  lookUp: (name: string) => string | undefined
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/
/** Handoff's own variables, and those by which a program would take our tmux for its own. */
const RESERVED = /^(HANDOFF_.*|TMUX|TMUX_PANE)$/

/**
 * Parses an environment file: `NAME=value`, `export NAME=value`, `#` comments; single quotes keep everything, double
 * quotes know `\n \r \t \" \\ \$` and may span lines; bare and double-quoted values replace `${NAME}` once, from earlier
 * lines or `base`. Anything else throws AppError `environment_file` with path and line, never with a value.
 * PATH may be set; HANDOFF_*, TMUX and TMUX_PANE may not.
 */
export function parseEnvironment(call: {
  text: string
  path: string
  base: Readonly<Record<string, string>>
}): Record<string, string> {
  const values: Record<string, string> = {}
  const reader: Reader = {
    path: call.path,
    lines: call.text.replace(/^\uFEFF/, '').split(/\r\n|\n/),
    at: 0,
    lookUp: (name) => [values, call.base].find((known) => Object.hasOwn(known, name))?.[name],
  }
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = (reader.lines[reader.at] ?? '').trim()
    if (line === '' || line.startsWith('#')) continue
    const [name, value] = readAssignment(line, reader)
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return values
}

function readAssignment(line: string, reader: Reader): [string, string] {
  const lineNumber = reader.at + 1
  const rest = line.replace(/^export\s+/, '')
  const name = NAME.exec(rest)?.[0]
  if (name === undefined || rest[name.length] !== '=') {
    throw badLine(reader, lineNumber, 'is not of the form NAME=value')
  }
  if (RESERVED.test(name)) throw badLine(reader, lineNumber, `sets ${name}, which Handoff keeps for itself`)
  const value = readValue(rest.slice(name.length + 1), reader)
  if (value.includes('\0')) throw badLine(reader, lineNumber, 'has a NUL character')
  return [name, value]
}

function readValue(text: string, reader: Reader): string {
  if (text.startsWith("'")) {
    const end = text.indexOf("'", 1)
    if (end < 0) throw badLine(reader, reader.at + 1, 'has a single quote that is not closed')
    assertOnlyComment(text.slice(end + 1), reader)
    return text.slice(1, end)
  }
  if (text.startsWith('"')) return readDoubleQuoted(text.slice(1), reader)
  // As in a shell, a comment begins after a space.
  const bare = text.replace(/(^|\s)#.*$/, '').trim()
  if (/['"`]/.test(bare))
    throw badLine(reader, reader.at + 1, 'has a quote inside a value that is not quoted')
  return replaceVariables(bare, reader)
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' }

function readDoubleQuoted(first: string, reader: Reader): string {
  const startLine = reader.at + 1
  let text = first
  let result = ''
  for (let index = 0; ; index += 1) {
    const char = text[index]
    if (char === undefined) {
      if (reader.at + 1 >= reader.lines.length) {
        throw badLine(reader, startLine, 'has a double quote that is not closed')
      }
      reader.at += 1
      text = reader.lines[reader.at] ?? ''
      result += '\n'
      index = -1
    } else if (char === '"') {
      assertOnlyComment(text.slice(index + 1), reader)
      return result
    } else if (char === '\\') {
      index += 1
      const escaped = ESCAPES[text[index] ?? '']
      if (escaped === undefined) throw badLine(reader, reader.at + 1, 'has an escape that is not known')
      result += escaped
    } else if (char === '$' && text[index + 1] === '{') {
      const end = text.indexOf('}', index)
      if (end < 0) throw badLine(reader, reader.at + 1, 'has a ${ that is not closed')
      result += valueOf(text.slice(index + 2, end), reader)
      index = end
    } else {
      result += char
    }
  }
}

function replaceVariables(text: string, reader: Reader): string {
  if (/\$\{[^}]*$/.test(text)) throw badLine(reader, reader.at + 1, 'has a ${ that is not closed')
  return text.replace(/\$\{([^}]*)\}/g, (_all, name: string) => valueOf(name, reader))
}

function valueOf(name: string, reader: Reader): string {
  const value = NAME.exec(name)?.[0] === name ? reader.lookUp(name) : undefined
  if (value !== undefined) return value
  // What stands between the braces may be part of a secret, so only a plain name is repeated.
  const what = /^[A-Z_][A-Z0-9_]{0,63}$/.test(name) ? `\${${name}}` : 'a ${…}'
  throw badLine(reader, reader.at + 1, `uses ${what} that is not set before it`)
}

function assertOnlyComment(text: string, reader: Reader): void {
  if (!/^\s*(?:\s#.*)?$/.test(text))
    throw badLine(reader, reader.at + 1, 'has something behind the closing quote')
}

function badLine({ path }: Reader, lineNumber: number, what: string): AppError {
  return new AppError({
    code: 'environment_file',
    message: `${path}, line ${lineNumber} ${what}.`,
    hint: 'Write NAME=value, NAME=\'value\' or NAME="value", one a line; comments begin with #.',
    details: { path, line: lineNumber },
  })
}

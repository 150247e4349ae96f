import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A table of texts as it stands in its file. */
export type TextTable = { [name: string]: string | TextTable }

const PLURAL = /_(one|other)$/
const LANGUAGE_FILE = /(^|\/)(en|zh)\.ts$/

/** Every text of a table by its path. */
export function textsOf(table: TextTable, path = ''): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[path + name, value]] : [...textsOf(value, `${path}${name}.`)],
    ),
  )
}

/** The keys by which texts are asked for: without the endings for singular and plural. */
export function keysOf(texts: ReadonlyMap<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))].sort()
}

/** What is wrong between two languages: keys that one lacks, empty texts, places that are not the same, a lone singular. */
export function differences(english: TextTable, chinese: TextTable): string[] {
  const [en, zh] = [textsOf(english), textsOf(chinese)]
  const [enKeys, zhKeys] = [keysOf(en), keysOf(zh)]
  const wrong = [
    ...enKeys.filter((key) => !zhKeys.includes(key)).map((key) => `${key} is not there in Chinese`),
    ...zhKeys.filter((key) => !enKeys.includes(key)).map((key) => `${key} is not there in English`),
    ...[...en, ...zh].filter(([, text]) => text.trim() === '').map(([key]) => `${key} is empty`),
  ]
  for (const [key, text] of en) {
    const other = zh.get(key) ?? zh.get(key.replace(PLURAL, '_other')) ?? ''
    // A singular may say "one" where the plural has the number.
    const ignored = key.endsWith('_one') ? 'count' : undefined
    if (String(placesOf(text, ignored)) !== String(placesOf(other, ignored)))
      wrong.push(`${key} has other places in Chinese`)
    if (key.endsWith('_one') && !en.has(key.replace(PLURAL, '_other'))) wrong.push(`${key} has no plural`)
  }
  return wrong
}

function placesOf(text: string, ignored: string | undefined): string[] {
  const names = [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name ?? '')
  return names.filter((name) => name !== ignored).sort()
}

/** The source below some folders as one text, without tests and without the tables themselves. */
export function sourceBelow(...folders: string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !LANGUAGE_FILE.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

/** Keys that no source asks for: neither by name, nor by a template whose fixed parts fit. */
export function unusedKeys(table: TextTable, source: string): string[] {
  const templates = [...source.matchAll(/`([\w.]+[._]\$\{[^`]*)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+')}$`),
  )
  return keysOf(textsOf(table)).filter(
    (key) => !source.includes(`'${key}'`) && !templates.some((template) => template.test(key)),
  )
}

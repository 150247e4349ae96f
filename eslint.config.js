import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import { handoffRules } from './scripts/lint-rules.js'

/**
 * Which folder may import what. The folder says where code runs (docs/architecture.md).
 * `folders`: project folders besides itself. `packages`: npm packages. `node`: whether `node:*` is allowed.
 * The first matching entry of a path wins, so deeper folders stand before their parents.
 */
export const LAYERS = [
  {
    folder: 'shared/node',
    folders: ['shared'],
    node: true,
    packages: ['zod', 'ws', 'execa', 'write-file-atomic', 'web-tree-sitter'],
  },
  { folder: 'shared', folders: [], node: false, packages: ['zod'] },
  {
    folder: 'agentd',
    folders: ['shared', 'shared/node'],
    node: true,
    packages: ['zod', 'ws', 'better-sqlite3', 'pino', 'execa'],
  },
  {
    folder: 'cli',
    folders: ['shared', 'shared/node'],
    node: true,
    packages: ['zod', 'ws', 'commander', '@inquirer/prompts', 'picocolors', 'execa'],
  },
  {
    folder: 'electron/services',
    folders: ['shared', 'shared/node'],
    node: true,
    packages: ['zod', 'ws', 'better-sqlite3', 'pino', 'execa'],
  },
  {
    folder: 'electron/shell',
    folders: ['shared', 'shared/node', 'electron/services'],
    node: true,
    packages: ['zod', 'execa', 'electron', 'electron-updater'],
  },
  {
    folder: 'electron/browser-host',
    folders: ['shared', 'shared/node', 'electron/services'],
    node: true,
    packages: ['zod', 'ws'],
  },
  { folder: 'electron/pty-host', folders: ['shared'], node: true, packages: ['zod', 'node-pty'] },
  // The bridge is a bundle of its own inside the sandbox: types from shared, nothing else.
  { folder: 'electron/preload', folders: ['shared'], node: false, packages: ['electron'] },
  {
    folder: 'electron',
    folders: ['shared', 'shared/node', 'electron/services', 'electron/shell'],
    node: true,
    packages: ['electron'],
  },
  {
    folder: 'renderer',
    folders: ['shared'],
    node: false,
    packages: [
      'zod',
      'react',
      'react-dom',
      '@xterm/xterm',
      '@xterm/addon-fit',
      '@xterm/addon-search',
      '@xterm/addon-web-links',
      '@xterm/addon-webgl',
      '@xterm/addon-unicode-graphemes',
      'radix-ui',
      'lucide-react',
      'cmdk',
      '@tanstack/react-virtual',
      'shiki',
      '@shikijs/langs',
      '@shikijs/themes',
      'diff',
      'react-markdown',
      'remark-gfm',
    ],
  },
]

const ALL_FOLDERS = [
  'shared',
  'shared/node',
  'agentd',
  'cli',
  'electron',
  'electron/services',
  'electron/shell',
  'electron/browser-host',
  'electron/pty-host',
  'electron/preload',
  'renderer',
  'tests',
  'scripts',
]

/** The part of `name` that a relative path from inside `folder` shows: a child or a sibling is reached without the common parent. */
function asReached(folder, name) {
  if (name.startsWith(`${folder}/`)) return name.slice(folder.length + 1)
  const parent = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/') + 1) : ''
  return parent !== '' && name.startsWith(parent) ? name.slice(parent.length) : name
}

/** How a file of `folder` may not name another project folder: a relative path that climbs out and enters it. */
function forbiddenPatterns({ folder, folders, node, packages }) {
  const allowed = new Set([folder, ...folders])
  const names = ALL_FOLDERS.filter((name) => !allowed.has(name) && !folder.startsWith(`${name}/`))
  const patterns = names.map((name) => ({
    regex: `^\\.{1,2}/(?:.*/)?${asReached(folder, name)}(?:/|$)`,
    message: `${folder}/ may not import from ${name}/ (LAYERS in eslint.config.js).`,
  }))
  const list = packages.map((name) => name.replace(/[/.]/g, '\\$&')).join('|')
  patterns.push({
    regex: `^(?!\\.{1,2}/|node:)(?!(?:${list})(?:/|$)).+`,
    message: `${folder}/ may use only these packages: ${packages.join(', ')} (LAYERS in eslint.config.js).`,
  })
  if (!node) patterns.push({ regex: '^node:', message: `${folder}/ runs in the browser too: no node.` })
  return patterns
}

/** A screen is loaded when it is opened; its path must stay inside the folder, since the layer check does not see it. */
const noFarDynamicImport = {
  selector:
    'ImportExpression:not([source.value=/^\\.{1,2}\\/(?:\\.\\.\\/)*(?!agentd|cli|electron|shared|tests|scripts)/])',
  message: 'import() takes a path inside the folder; other folders and packages are imported statically.',
}

const noDynamicImport = [
  { selector: 'ImportExpression', message: 'import() escapes the layer check; import statically.' },
  {
    selector: "CallExpression[callee.name='require']",
    message: 'require() escapes the layer check; import statically.',
  },
]

const ipcHome = 'electron/shell/ipc.ts'
const preloadHome = 'electron/preload/preload.ts'

/** Windows and services meet in two files; a second way between them would have no checks. */
const noIpcMain = {
  selector: "ImportSpecifier[imported.name='ipcMain'], MemberExpression[property.name='ipcMain']",
  message: `Windows call in through ${ipcHome} only.`,
}
const noSend = {
  selector:
    'CallExpression[callee.property.name=/^(send|sendToFrame|postMessage)$/]:matches([callee.object.name=/contents$|frame$/i], [callee.object.property.name=/contents$|frame$/i])',
  message: `Windows are told something through ${ipcHome} only.`,
}
const noIpcRenderer = {
  selector: "ImportSpecifier[imported.name='ipcRenderer'], MemberExpression[property.name='ipcRenderer']",
  message: `A page reaches the services through ${preloadHome} only.`,
}
const noSecondWay = [noIpcMain, noSend, noIpcRenderer]

// Scripts of the window's start hand on what they export once and for all (scripts/build/start-scripts.ts).
const noExportThatChanges = {
  selector: "ExportNamedDeclaration > VariableDeclaration[kind='let']",
  message: 'What is exported may not be assigned again; export a function that answers it.',
}

const realPartsOnly = {
  selector: "MemberExpression[object.name='vi'][property.name=/^(mock|doMock|hoisted|stubGlobal)$/]",
  message: 'Tests use real parts; write a fake by hand where one is needed.',
}

const noSleep = [
  {
    selector:
      "NewExpression[callee.name='Promise'] > .arguments > CallExpression.body[callee.name='setTimeout']",
    message: 'A bare sleep is slow or flaky: wait for an event, or use tests/support/until.ts.',
  },
  {
    selector:
      "NewExpression[callee.name='Promise'] > .arguments > BlockStatement[body.length=1] > ExpressionStatement > CallExpression[callee.name='setTimeout']",
    message: 'A bare sleep is slow or flaky: wait for an event, or use tests/support/until.ts.',
  },
]

const noTimersPromises = {
  name: 'node:timers/promises',
  importNames: ['setTimeout', 'scheduler'],
  message: 'A bare sleep is slow or flaky: wait for an event, or use tests/support/until.ts.',
}

const environmentHome = 'shared/node/process-environment.ts'
const noEnvironmentImport = {
  name: 'node:process',
  importNames: ['env'],
  message: `The environment is read in ${environmentHome} only.`,
}

const layerConfigs = LAYERS.map((layer) => ({
  files: [`${layer.folder}/**/*.{ts,tsx}`],
  ignores: [
    '**/*.test.{ts,tsx}',
    ...LAYERS.filter((other) => other.folder.startsWith(`${layer.folder}/`)).map(
      ({ folder }) => `${folder}/**`,
    ),
  ],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: forbiddenPatterns(layer), paths: [noEnvironmentImport] },
    ],
    'no-restricted-syntax':
      layer.folder === 'renderer'
        ? ['error', noFarDynamicImport, ...noDynamicImport.slice(1), noExportThatChanges]
        : ['error', ...noDynamicImport, ...noSecondWay, noExportThatChanges],
    'no-restricted-properties': [
      'error',
      {
        object: 'process',
        property: 'env',
        message: `The environment is read in ${environmentHome} only; take it as an argument.`,
      },
    ],
    // Forty lines are the aim; ten more are forgiven.
    'handoff/function-length': ['error', { max: 50 }],
  },
}))

/** Things that have one home; each is an error everywhere else. */
const homes = [
  { files: ['scripts/**', 'tests/**'], rules: { 'no-console': 'off' } },
  { files: [environmentHome], rules: { 'no-restricted-properties': 'off' } },
  { files: [ipcHome], rules: { 'no-restricted-syntax': ['error', ...noDynamicImport, noIpcRenderer] } },
  {
    files: [preloadHome],
    rules: { 'no-restricted-syntax': ['error', ...noDynamicImport, noIpcMain, noSend] },
  },
]

export default tseslint.config(
  {
    ignores: [
      'dist',
      '.tsbuild',
      'node_modules',
      'tests/executors/node_modules',
      'tests/fixtures',
      '.cache',
      'coverage',
      'release',
    ],
  },
  ...tseslint.configs.recommended,
  {
    languageOptions: {
      // One program for everything: with the project of each folder, what folders share is checked again for each of them.
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { handoff: handoffRules },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-params': ['error', 4],
      'no-console': 'error',
      'no-empty': 'error',
      eqeqeq: 'error',
      'handoff/suppression-reason': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
  // These tools take their configuration as the default export.
  { files: ['*.config.js', '*.config.ts'], rules: { 'no-restricted-exports': 'off' } },
  { files: ['**/*.test.{ts,tsx}', 'tests/**'], rules: { 'max-lines': ['error', { max: 500 }] } },
  ...layerConfigs,
  {
    files: ['renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'handoff/text-in-words': 'error',
    },
  },
  // Markup takes a line for every attribute; what a component decides should still fit on a screen.
  { files: ['renderer/**/*.tsx'], rules: { 'handoff/function-length': ['error', { max: 80 }] } },
  {
    files: ['**/*.test.{ts,tsx}', 'tests/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', realPartsOnly, ...noSleep],
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [noTimersPromises] }],
    },
  },
  // The one place that waits by the clock.
  { files: ['tests/support/until.ts'], rules: { 'no-restricted-syntax': 'off' } },
  ...homes,
)

import tseslint from 'typescript-eslint'

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
]

const ALL_FOLDERS = ['shared', 'shared/node', 'agentd', 'cli', 'electron', 'renderer', 'tests', 'scripts']

/** How a file of `folder` may not name another project folder: a relative path that climbs out and enters it. */
function forbiddenPatterns({ folder, folders, node, packages }) {
  const allowed = new Set([folder, ...folders])
  const names = ALL_FOLDERS.filter((name) => !allowed.has(name) && !folder.startsWith(`${name}/`))
  const patterns = names.map((name) => ({
    // `shared/node` is a child of `shared`, so from inside `shared` it is reached without naming the parent.
    regex:
      folder === 'shared' && name === 'shared/node'
        ? '^\\.{1,2}/(?:.*/)?node/'
        : `^(?:\\.\\./)+${name}(?:/|$)`,
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

const noDynamicImport = [
  { selector: 'ImportExpression', message: 'import() escapes the layer check; import statically.' },
  {
    selector: "CallExpression[callee.name='require']",
    message: 'require() escapes the layer check; import statically.',
  },
]

const layerConfigs = LAYERS.map((layer) => ({
  files: [`${layer.folder}/**/*.ts`],
  ignores: ['**/*.test.ts', ...(layer.folder === 'shared' ? ['shared/node/**'] : [])],
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', { patterns: forbiddenPatterns(layer) }],
    'no-restricted-syntax': ['error', ...noDynamicImport],
  },
}))

/** Things that have one home; each is an error everywhere else. */
const oneHome = [{ name: 'console', homes: ['scripts/**', 'tests/**'] }]

export default tseslint.config(
  {
    ignores: ['dist', '.tsbuild', 'node_modules', 'tests/executors/node_modules', 'tests/fixtures', '.cache'],
  },
  ...tseslint.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-params': ['error', 4],
      'no-console': 'error',
      'no-empty': 'error',
      eqeqeq: 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts'],
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
  { files: ['*.config.js', '*.config.ts', 'tests/**'], rules: { 'no-restricted-exports': 'off' } },
  { files: oneHome.flatMap(({ homes }) => homes), rules: { 'no-console': 'off' } },
  { files: ['**/*.test.ts', 'tests/**'], rules: { 'max-lines': ['error', { max: 500 }] } },
  ...layerConfigs,
  {
    files: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='vi'][property.name=/^(mock|doMock)$/]",
          message: 'Tests use real parts.',
        },
      ],
    },
  },
)

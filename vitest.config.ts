import { defineConfig } from 'vitest/config'

const generated = [
  'node_modules/**',
  'dist/**',
  '.tsbuild/**',
  '.cache/**',
  'tests/executors/node_modules/**',
]

export default defineConfig({
  test: {
    pool: 'forks',
    // Many specs start real processes; more at once than this makes them wait for each other on a small machine.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...generated, 'tests/integration/**', 'tests/e2e/**', '**/*.slow.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Beside their source like unit tests, but with many real processes or generated cases.
          name: 'slow',
          include: ['**/*.slow.test.ts'],
          exclude: generated,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['tests/integration/**/*.quick.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...generated, '**/*.quick.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // The product as the person sees it: real Chromium, the both shells, agentd.
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: generated,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

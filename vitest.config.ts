import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,services,tools,demo,bench,tests}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.data/**'],
    globalSetup: ['tools/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: ['default', 'tools/src/testing/plain-reporter.ts'],
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,services,tools,demo,bench,tests}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.data/**'],
    globalSetup: ['tools/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 4,
    // They end what hangs. How long a test takes is no fault: four files at a time share the processors with all servers.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', 'tools/src/testing/plain-reporter.ts'],
  },
})

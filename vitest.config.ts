import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './tools/src/testing/long-files-first.ts'
import { isMachineSlow } from './tools/src/testing/slow-machine.ts'
import { NO_TEST_FILES, TEST_FILES } from './tools/src/testing/test-groups.ts'

export default defineConfig({
  // Workspaces run from their sources, the client too, which others get built.
  ssr: { resolve: { conditions: ['@storefront/source', 'node', 'development|production'] } },
  test: {
    include: TEST_FILES,
    exclude: NO_TEST_FILES,
    globalSetup: ['tools/src/testing/global-setup.ts'],
    // A test that checks nothing fails, and a wait does not end because other files share the processors.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    setupFiles: ['tools/src/testing/compile-cache.ts'],
    pool: 'forks',
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [
      '--conditions=@storefront/source',
      '--disable-warning=ExperimentalWarning',
      // Megabytes for young objects: a tenth less CPU time than with the default.
      '--max-semi-space-size=32',
    ],
    maxWorkers: isMachineSlow() ? 3 : 5,
    // Files take turns in several processes: to load the modules again for each file took as long as its tests.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // They end what hangs. How long a test takes is no fault: other files share the processors with all servers.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', 'tools/src/testing/plain-reporter.ts'],
  },
})

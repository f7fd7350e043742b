import { spawnSync } from 'node:child_process'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './tools/src/testing/long-files-first.ts'

/**
 * The same machine may be three times slower on another day, when time limits pass because several files share its
 * processors. The start of a process took 90 ms on such a day (docs/decisions/0068).
 */
const SLOW_START_MS = 70
const isSlow = Math.min(...[1, 2, 3].map(() => startMs())) > SLOW_START_MS

function startMs(): number {
  const began = performance.now()
  spawnSync(process.execPath, ['--eval', ''])
  return performance.now() - began
}

export default defineConfig({
  // Workspaces run from their sources, the client too, which others get built.
  ssr: { resolve: { conditions: ['@storefront/source', 'node', 'development|production'] } },
  test: {
    include: ['{apps,packages,services,tools,demo,bench,tests}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.data/**'],
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
    maxWorkers: isSlow ? 3 : 5,
    // Files take turns in several processes: to load the modules again for each file took as long as its tests.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // They end what hangs. How long a test takes is no fault: other files share the processors with all servers.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', 'tools/src/testing/plain-reporter.ts'],
  },
})

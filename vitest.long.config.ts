import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import shared from './vitest.config.ts'

/** Tests of `npm test` that do more here: those that call `amount` of tools/src/testing. */
const withLongAmounts = ['packages', 'services', 'tools', 'demo', 'bench', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .filter((path) => /\bamount(<.*>)?\(\{\s*quick/.test(readFileSync(path, 'utf8'))),
)

/** Tests that take too long for `npm test`: those in files that end with `.long.ts`, and the large amounts of the others. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['{packages,services,tools,demo,bench,tests}/**/*.long.ts', ...withLongAmounts],
    env: { TEST_AMOUNT: 'long' },
    // One file at a time: none is to fail because another one keeps the machine busy.
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
  },
})

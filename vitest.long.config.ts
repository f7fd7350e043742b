import { defineConfig } from 'vitest/config'
import shared from './vitest.config.ts'

/** Tests that take too long for `npm test`, each in a file of its own that ends with `.long.ts`. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['{packages,services,tools,demo,bench,tests}/**/*.long.ts'],
    env: { TEST_AMOUNT: 'long' },
    // One file at a time: none is to fail because another one keeps the machine busy.
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
  },
})

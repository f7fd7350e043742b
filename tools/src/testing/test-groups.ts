/** Test files that the same processes run one after another. */
export interface TestGroup {
  name: string
  include: readonly string[]
  exclude: readonly string[]
  /** How many files run at once. */
  processes: number
}

/** All test files, as patterns from the root of the repository. */
export const TEST_FILES = ['{apps,packages,services,tools,demo,bench,tests}/**/*.test.ts']
export const NO_TEST_FILES = ['**/node_modules/**', '**/.data/**']

const OF_WHOLE_SHOPS = ['tests/**/*.test.ts']
const BY_SERVICES = {
  catalog: ['services/catalog/**/*.test.ts'],
  notifier: ['services/notifier/**/*.test.ts'],
  'orders and cart': ['services/orders/**/*.test.ts', 'services/cart/**/*.test.ts'],
  'identity and gateway': ['services/identity/**/*.test.ts', 'services/gateway/**/*.test.ts'],
}

/**
 * The groups that `npm test` runs at the same time. A process loads, compiles and optimizes the code of a service once, and that
 * takes seconds: with every file in whichever process was free, a run took a seventh more CPU time (docs/decisions/0068).
 * Tests of whole shops mostly wait, so they come first and have two processes; the others take about equally long.
 */
export const TEST_GROUPS: readonly TestGroup[] = [
  { name: 'whole shops', include: OF_WHOLE_SHOPS, exclude: NO_TEST_FILES, processes: 2 },
  ...Object.entries(BY_SERVICES).map(([name, include]) => ({ name, include, exclude: NO_TEST_FILES, processes: 1 })),
  {
    name: 'others',
    include: TEST_FILES,
    exclude: [...NO_TEST_FILES, ...OF_WHOLE_SHOPS, ...Object.values(BY_SERVICES).flat()],
    processes: 1,
  },
]

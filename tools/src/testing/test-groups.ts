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

const WHOLE_SHOPS: TestGroup = {
  name: 'whole shops',
  include: OF_WHOLE_SHOPS,
  exclude: NO_TEST_FILES,
  processes: 3,
}

const OTHERS: TestGroup = {
  name: 'others',
  include: TEST_FILES,
  exclude: [...NO_TEST_FILES, ...OF_WHOLE_SHOPS, ...Object.values(BY_SERVICES).flat()],
  processes: 2,
}

/**
 * The groups that `npm test` runs, each list at the same time as the other lists. A process loads, compiles and
 * optimizes the code of a service once, and that takes seconds: with every file in whichever process was free, a run
 * took a seventh more CPU time (docs/decisions/0068). Tests of whole shops mostly wait, so they have three processes;
 * all lists take about equally long.
 */
export const TEST_GROUPS: readonly (readonly TestGroup[])[] = [
  [WHOLE_SHOPS, OTHERS],
  ...Object.entries(BY_SERVICES).map(([name, include]) => [{ name, include, exclude: NO_TEST_FILES, processes: 1 }]),
]

/** The same for a machine on which only three files can run at once. */
export const TEST_GROUPS_OF_SLOW_MACHINE: typeof TEST_GROUPS = [
  [{ ...WHOLE_SHOPS, processes: 2 }],
  TEST_GROUPS.flat()
    .filter((group) => group !== WHOLE_SHOPS)
    .map((group) => ({ ...group, processes: 1 })),
]

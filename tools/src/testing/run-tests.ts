import { type CliOptions, parseCLI, startVitest, type TestModule, type Vitest } from 'vitest/node'
import { countsOf, printCounts } from './plain-reporter.ts'
import { isMachineSlow } from './slow-machine.ts'
import { TEST_GROUPS, TEST_GROUPS_OF_SLOW_MACHINE, type TestGroup } from './test-groups.ts'

/**
 * `npm test`: runs all tests in groups, or those that arguments name as `vitest run` does. The groups share the servers
 * of global-setup.ts, because they run in this process.
 */
const args = process.argv.slice(2)
await (args.length > 0 ? runSome(args) : runAll())
// What a test left open must not keep a finished run alive.
process.exit()

async function runSome(names: string[]): Promise<void> {
  const { filter, options } = parseCLI(['vitest', 'run', ...names])
  await startVitest(filter, options)
}

async function runAll(): Promise<void> {
  const lists = isMachineSlow() ? TEST_GROUPS_OF_SLOW_MACHINE : TEST_GROUPS
  const runs = (await Promise.all(lists.map((groups) => runSequentially(groups)))).flat()
  const modules = runs.flatMap((run) => run.state.getTestModules())
  printFailures(modules)
  printCounts(countsOf(modules))
}

async function runSequentially(groups: readonly TestGroup[]): Promise<Vitest[]> {
  const runs: Vitest[] = []
  for (const group of groups) {
    runs.push(await startVitest([], optionsOf(group)))
    process.stdout.write(`The tests of ${group.name} have ended.\n`)
  }
  return runs
}

function optionsOf({ include, exclude, processes }: TestGroup): CliOptions {
  // The window of the default reporter has room for one run.
  const reporters: CliOptions['reporters'] = [['default', { summary: false }]]
  return { run: true, include: [...include], exclude: [...exclude], maxWorkers: processes, reporters }
}

/** The details are above, where the group ended, and others may have continued for minutes. */
function printFailures(modules: readonly TestModule[]): void {
  for (const module of modules) {
    if (module.errors().length > 0) process.stdout.write(`failed: ${module.relativeModuleId}\n`)
    for (const test of module.children.allTests('failed')) {
      process.stdout.write(`failed: ${module.relativeModuleId} > ${test.fullName}\n`)
    }
  }
}

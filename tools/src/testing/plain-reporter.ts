import type { Reporter, TestModule } from 'vitest/node'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Ends a run with one plain line, for readers of logs. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    printCounts(countsOf(modules))
  }
}

/** @returns how many tests passed, failed and were skipped; a file that could not be loaded counts as a failed test */
export function countsOf(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) counts[test.result().state]++
    if (module.errors().length > 0) counts.failed++
  }
  return counts
}

export function printCounts({ passed, failed, skipped }: Counts): void {
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
}

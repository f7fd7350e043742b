import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, mostly waiting for outages to end. Vitest knows durations only after a first run, and
 * starts the largest files first.
 */
const LONG_FILES = [
  '/tests/outage.test.ts',
  '/tests/crash.test.ts',
  '/tests/network-under-load.test.ts',
  '/tests/replicas-under-load.test.ts',
]
/** More whole shops with many processes would slow each other down until they time out. */
const AT_ONCE = 2

/** Starts the long files early, because a long file that starts last leaves a processor idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inDefaultOrder = super.sort.bind(this)
    const sorted = await inDefaultOrder(files)
    const long = LONG_FILES.flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)))
    const others = sorted.filter((file) => !long.includes(file))
    return [...long.slice(0, AT_ONCE), ...others.slice(0, AT_ONCE), ...long.slice(AT_ONCE), ...others.slice(AT_ONCE)]
  }
}

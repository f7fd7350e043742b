import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of tests/ start whole shops, kill their servers and wait for them: the last to start would keep everybody waiting at
 * the end. Vitest knows how long a file took from the run before, and where there was none takes its size for it.
 */
export class WholeShopsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this one sorts no array, and answers a new one
    const sorted = await super.sort(files)
    const startsShop = ({ moduleId, project }: TestSpecification) =>
      moduleId.startsWith(`${project.config.root}/tests/`)
    return [...sorted.filter(startsShop), ...sorted.filter((file) => !startsShop(file))]
  }
}

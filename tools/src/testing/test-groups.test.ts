import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_TEST_FILES, TEST_FILES, TEST_GROUPS, TEST_GROUPS_OF_SLOW_MACHINE } from './test-groups.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe.each([
  { machine: 'a machine', groups: TEST_GROUPS.flat() },
  { machine: 'a slow machine', groups: TEST_GROUPS_OF_SLOW_MACHINE.flat() },
])('on $machine', ({ groups }) => {
  it('every test file is in one group', () => {
    const all = filesOf(TEST_FILES, NO_TEST_FILES)
    const grouped = groups.flatMap(({ include, exclude }) => filesOf(include, exclude))
    expect(all.length).toBeGreaterThan(500)
    expect(grouped.toSorted()).toEqual(all.toSorted())
  })

  it('every group has test files', () => {
    const empty = groups.filter(({ include, exclude }) => filesOf(include, exclude).length === 0)
    expect(empty).toEqual([])
  })
})

function filesOf(include: readonly string[], exclude: readonly string[]): string[] {
  return globSync(include, { cwd: ROOT, exclude })
}

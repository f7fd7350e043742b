import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NO_TEST_FILES, TEST_FILES, TEST_GROUPS } from './test-groups.ts'

const ROOT = join(import.meta.dirname, '../../..')

it('every test file is in one group', () => {
  const all = filesOf(TEST_FILES, NO_TEST_FILES)
  const grouped = TEST_GROUPS.flatMap(({ include, exclude }) => filesOf(include, exclude))
  expect(all.length).toBeGreaterThan(500)
  expect(grouped.toSorted()).toEqual(all.toSorted())
})

it('every group has test files', () => {
  const empty = TEST_GROUPS.filter(({ include, exclude }) => filesOf(include, exclude).length === 0)
  expect(empty).toEqual([])
})

function filesOf(include: readonly string[], exclude: readonly string[]): string[] {
  return globSync(include, { cwd: ROOT, exclude })
}

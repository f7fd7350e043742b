import { waitFor } from '@storefront/service/testing'
import { expect } from 'vitest'
import type { Finding } from '../doctor/finding.ts'

export interface ExpectedFinding {
  state: Finding['state']
  /** A pattern of its text. */
  found: string | RegExp
}

/** Examines again and again until the finding of this check is as expected: servers report after a moment. */
export async function waitForFinding(
  examine: () => Promise<Finding[]>,
  check: string,
  expected: ExpectedFinding,
): Promise<Finding> {
  let last: Finding | undefined
  const finding = await waitFor(`${check}: ${expected.state} ${expected.found}`, async () => {
    last = (await examine()).find((one) => one.check === check)
    return last?.state === expected.state && new RegExp(expected.found).test(last.found) ? last : undefined
  }).catch((error: unknown) => {
    throw new Error(`found ${JSON.stringify(last)}`, { cause: error })
  })
  expect(finding, check).toBeDefined()
  return finding
}

import { expect, test, vi } from 'vitest'
import { underLease } from './under-lease.ts'

/** The default of a second may be too short on a busy machine. */
const TIME_LIMIT = { timeout: 60_000 }

test('a lease is renewed until the work ends, even after a renewal that failed', async () => {
  let renewals = 0
  const errors: unknown[] = []
  const lease = {
    everyMs: 1,
    renew: async () => {
      renewals++
      if (renewals === 1) throw new Error('away')
    },
    failed: (error: unknown) => void errors.push(error),
  }
  await underLease(lease, () => vi.waitFor(() => expect(renewals).toBeGreaterThan(2), TIME_LIMIT))
  expect(errors).toEqual([new Error('away')])
  const before = renewals
  // Long enough for ten renewals.
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(renewals).toBe(before)
})

test('an error of the work is that of its caller, and ends the renewals', async () => {
  let renewals = 0
  const lease = { everyMs: 1, renew: async () => ++renewals, failed: () => {} }
  await expect(underLease(lease, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(renewals).toBe(0)
})

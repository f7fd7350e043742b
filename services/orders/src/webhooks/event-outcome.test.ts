import { expect, test } from 'vitest'
import { outcomeOf, outcomeOfFailure } from './event-outcome.ts'
import type { ClaimedEvent } from './webhooks.queries.ts'

const START = new Date('2026-03-01T12:00:00.000Z')
const HOUR_MS = 3600 * 1000
const event: ClaimedEvent = {
  provider: 'demo',
  eventId: 'evt_1',
  type: 'payment.captured',
  payload: Buffer.from('{}'),
  receivedAt: START,
  attempts: 0,
  leaseUntil: START,
}

test('a failed event is retried for most of a day, and no longer', () => {
  let now = START
  let attempts = 0
  for (;;) {
    const outcome = outcomeOfFailure({ ...event, attempts }, new Error('no'), now)
    attempts = outcome.attempts
    if (outcome.status === 'failed') break
    expect(outcome.nextAttemptAt.getTime()).toBeGreaterThan(now.getTime())
    now = outcome.nextAttemptAt
  }
  expect(attempts).toBe(12)
  expect(now.getTime() - START.getTime()).toBeGreaterThan(20 * HOUR_MS)
  expect(now.getTime() - START.getTime()).toBeLessThan(24 * HOUR_MS)
})

test('an event about an unknown payment is retried at least every minute, for ten minutes', () => {
  let now = START
  let retries = 0
  for (;;) {
    const outcome = outcomeOf(event, 'unknown_payment', now)
    if (outcome.status === 'done') break
    expect(outcome.nextAttemptAt.getTime() - now.getTime()).toBeLessThanOrEqual(60_000)
    now = outcome.nextAttemptAt
    retries++
  }
  expect(now.getTime() - START.getTime()).toBeGreaterThanOrEqual(600_000)
  expect(retries).toBeGreaterThan(10)
  expect(retries).toBeLessThan(30)
})

test('an event about a refund of an unknown payment is retried for thirty days, at least every hour and every tenth of its age', () => {
  let now = START
  let retries = 0
  for (;;) {
    const outcome = outcomeOf(event, 'unknown_refund', now)
    if (outcome.status === 'done') break
    const ageMs = now.getTime() - START.getTime()
    const pauseMs = outcome.nextAttemptAt.getTime() - now.getTime()
    expect(pauseMs).toBeGreaterThan(0)
    expect(pauseMs).toBeLessThanOrEqual(Math.min(Math.max(ageMs / 10, 60_000), HOUR_MS))
    now = outcome.nextAttemptAt
    retries++
  }
  expect(now.getTime() - START.getTime()).toBeGreaterThanOrEqual(30 * 24 * HOUR_MS)
  expect(retries).toBeLessThan(800)
})

import { manualClock } from '@storefront/service/testing'
import { pino } from 'pino'
import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { GeneralLimit } from './general-limit.ts'

let limit: GeneralLimit
const clock = manualClock('2026-01-05T10:00:00.000Z')

afterEach(() => limit.stop())

/** A limit whose Redis never connects. */
function limitAlone(): GeneralLimit {
  const redis = new Redis({ lazyConnect: true })
  return new GeneralLimit({
    name: 'general',
    limit: 2,
    redis,
    namespace: 'alone',
    clock,
    log: pino({ level: 'silent' }),
  })
}

test('without Redis only the clients of the current minute are kept', () => {
  limit = limitAlone()
  for (let minute = 0; minute < 5; minute++) {
    for (let client = 0; client < 1000; client++) limit.count(`${minute}.${client}`)
    expect(limit.waiting()).toBe(1000)
    clock.advance(60_000)
  }
  expect(limit.count('a client')?.remaining).toBe(1)
  expect(limit.waiting()).toBe(1)
})

test('without Redis a flood of addresses in one minute stays within the memory limit', () => {
  limit = limitAlone()
  for (let client = 0; client < 150_000; client++) limit.count(`flood ${client}`)
  expect(limit.waiting()).toBe(100_000)
  limit.count('flood 149999')
  expect(limit.count('flood 149999')?.exceeded).toBe(true)
})

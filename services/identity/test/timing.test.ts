import { performance } from 'node:perf_hooks'
import { amount } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNearHalf, shareOfGreater } from './compare-durations.ts'
import { createSetting, type TestResponse, type Setting } from './setting.ts'

/** With this many, chance alone moves the share beyond a quarter or three quarters once in forty thousand runs. */
const PAIRS = amount({ quick: 48, long: 60 })
/** A quick run ends with these when they show no difference. */
const FIRST_PAIRS = amount({ quick: 24, long: PAIRS })
/** Enough accounts that none of them reaches the limit of attempts. */
const ACCOUNTS = amount({ quick: 3, long: 5 })

const known = (round: number) => `known${round % ACCOUNTS}@mail.example`
const unknown = (round: number) => `nobody${round}@mail.example`

let shop: Setting

beforeAll(async () => {
  shop = await createSetting({ PASSWORD_HASH_COST: 'standard' })
  for (let index = 0; index < ACCOUNTS; index++) await shop.register(known(index))
})
afterAll(() => shop.stop())

/** The response to a request, without the parts that differ every time, and its duration. */
async function measure(request: () => Promise<TestResponse>): Promise<{ response: unknown; ms: number }> {
  const start = performance.now()
  const { status, body } = await request()
  const ms = performance.now() - start
  return { response: { status, body: { ...Object(body), requestId: undefined } }, ms }
}

/**
 * Sends requests with and without an account in pairs, one at a time, so that other load of the machine affects both.
 * Which one is first is random, because the work that follows a request can delay the next.
 * @returns the share of all pairs in which the account took longer: 0.5 when the two do not differ
 */
async function shareOfSlower(request: (email: string) => Promise<TestResponse>): Promise<number> {
  // Work that is done only once, such as preparing statements, must not be measured.
  for (let round = 0; round < ACCOUNTS; round++)
    for (const email of [known(round), unknown(round)]) await request(email)
  const withAccount: number[] = []
  const without: number[] = []
  for (let round = 0; round < PAIRS; round++) {
    if (round === FIRST_PAIRS && isNearHalf(shareOfGreater(withAccount, without))) break
    const measureKnown = () => measure(() => request(known(round)))
    const knownFirst = Math.random() < 0.5 ? await measureKnown() : undefined
    const other = await measure(() => request(unknown(PAIRS + round)))
    const one = knownFirst ?? (await measureKnown())
    expect(other.response).toEqual(one.response)
    withAccount.push(one.ms)
    without.push(other.ms)
  }
  return shareOfGreater(withAccount, without)
}

function expectNoDifference(share: number): void {
  expect(share).toBeGreaterThan(0.25)
  expect(share).toBeLessThan(0.75)
}

describe('whether an address has an account', () => {
  // When nothing is hashed for an unknown address, the share is 0.97.
  test('is not revealed by the duration of a failed sign-in, nor by its response', async () => {
    const body = (email: string) => ({ email, password: 'not the password' })
    expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/auth/login', body(email))))
  })

  // When the mail is requested before the response, the share is 0.78. passwords.test.ts proves that the accounts are
  // not read before the response.
  test('is not revealed by the response to a request for a password reset', async () => {
    expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/auth/password/forgot', { email })))
  })
})

// When subscribers are written before the response, the share is 0.22. newsletter.test.ts proves that they are not read
// before the response.
test('whether an address is subscribed to the newsletter is not revealed by the response to a subscription', async () => {
  await shop.suite.sql(
    `insert into identity.newsletter_subscribers (email, subscribed_at, confirmed_at, confirmation_sent_at)
     select 'known' || i || '@mail.example', now(), now(), now() from generate_series(0, $1::integer - 1) i`,
    [ACCOUNTS],
  )
  expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/newsletter', { email })))
})

import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, type TestResponse, type Setting } from './setting.ts'

const PAIRS = 60
/** So many that none of them is tried more often than is allowed. */
const ACCOUNTS = 5

const known = (round: number) => `known${round % ACCOUNTS}@mail.example`
const unknown = (round: number) => `nobody${round}@mail.example`

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
  for (let index = 0; index < ACCOUNTS; index++) await shop.register(known(index))
})
afterAll(() => shop.stop())

/** What a request answers, less what is new every time, and how long it took. */
async function measure(request: () => Promise<TestResponse>): Promise<{ response: unknown; ms: number }> {
  const start = performance.now()
  const { status, body } = await request()
  const ms = performance.now() - start
  return { response: { status, body: { ...Object(body), requestId: undefined } }, ms }
}

/**
 * Asks about an account and about none, in turns and one at a time, so that whatever else the machine does falls on both.
 * @returns the share of all pairs in which the account took longer: 0.5 when the two cannot be told apart (Mann-Whitney)
 */
async function shareOfSlower(request: (email: string) => Promise<TestResponse>): Promise<number> {
  // What is only done once, such as preparing statements, belongs to neither.
  for (let round = 0; round < 10; round++) for (const email of [known(round), unknown(round)]) await request(email)
  const withAccount: number[] = []
  const without: number[] = []
  for (let round = 0; round < PAIRS; round++) {
    const one = await measure(() => request(known(round)))
    const other = await measure(() => request(unknown(PAIRS + round)))
    expect(other.response).toEqual(one.response)
    withAccount.push(one.ms)
    without.push(other.ms)
  }
  const slower = withAccount.flatMap((ms) => without.filter((other) => ms > other))
  return slower.length / PAIRS ** 2
}

function expectNoDifference(share: number): void {
  expect(share).toBeGreaterThan(0.25)
  expect(share).toBeLessThan(0.75)
}

describe('whether somebody has an account', () => {
  // When nothing is hashed for an unknown address, the share is 0.97.
  test('cannot be told from the time in which a sign-in fails, nor from its answer', async () => {
    const body = (email: string) => ({ email, password: 'not the password' })
    expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/auth/login', body(email))))
  })

  // When the mail is asked for before the response, the share is 0.78. That the accounts are not even looked at is tested
  // for certain in passwords.test.ts.
  test('cannot be told from how a forgotten password is answered', async () => {
    expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/auth/password/forgot', { email })))
  })
})

// When subscribers are written down before the response, the share is 0.22. That they are not even looked at is tested for
// certain in newsletter.test.ts.
test('whether somebody has the newsletter cannot be told from how a subscription is answered', async () => {
  await shop.suite.sql(
    `insert into identity.newsletter_subscribers (email, subscribed_at, confirmed_at, confirmation_sent_at)
     select 'known' || i || '@mail.example', now(), now(), now() from generate_series(0, $1::integer - 1) i`,
    [ACCOUNTS],
  )
  expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/newsletter', { email })))
})

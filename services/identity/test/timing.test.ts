import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, type Answer, type Setting } from './setting.ts'

const PAIRS = 60

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
  await shop.register('known@mail.example')
})
afterAll(() => shop.stop())

/** What a request answers, less what is new every time, and how long it took. */
async function measure(request: () => Promise<Answer>): Promise<{ answer: unknown; ms: number }> {
  const start = performance.now()
  const { status, body } = await request()
  const ms = performance.now() - start
  return { answer: { status, body: { ...Object(body), requestId: undefined } }, ms }
}

/**
 * Asks about an account and about none, in turns and one at a time, so that whatever else the machine does falls on both.
 * @returns the share of all pairs in which the account took longer: 0.5 when the two cannot be told apart (Mann-Whitney)
 */
async function shareOfSlower(request: (email: string) => Promise<Answer>): Promise<number> {
  // What is only done once, such as preparing statements, belongs to neither.
  for (let round = 0; round < 10; round++) for (const name of ['known', 'nobody']) await request(`${name}@mail.example`)
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < PAIRS; round++) {
    const one = await measure(() => request('known@mail.example'))
    const other = await measure(() => request(`nobody${round}@mail.example`))
    expect(other.answer).toEqual(one.answer)
    known.push(one.ms)
    unknown.push(other.ms)
  }
  const slower = known.flatMap((ms) => unknown.filter((other) => ms > other))
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
  }, 60_000)

  // When the mail is asked for before the answer, the share is 0.78. That the accounts are not even looked at is tested
  // for certain in passwords.test.ts.
  test('cannot be told from how a forgotten password is answered', async () => {
    expectNoDifference(await shareOfSlower((email) => shop.call('POST', '/auth/password/forgot', { email })))
  }, 60_000)
})

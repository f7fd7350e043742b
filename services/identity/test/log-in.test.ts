import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimsOf, createSetting, PASSWORD, refusal, tokenOf, type Answer, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const logIn = (email: string, password = PASSWORD): Promise<Answer> =>
  shop.call('POST', '/auth/login', { email, password })

describe('signing in', () => {
  test('answers the customer with addresses and a token of a new session, however the address is written', async () => {
    const { token, customer } = await shop.register('ada@mail.example')
    await shop.call('POST', '/me/addresses', { line1: '1 Main Street' }, shop.as(customer.id))
    const answer = await logIn('  ADA@Mail.example')
    expect(answer).toMatchObject({
      status: 200,
      body: { customer: { ...customer, addresses: [{ line1: '1 Main Street', isDefault: true }] } },
    })
    const next = tokenOf(answer)
    expect(claimsOf(next)['sub']).toBe(customer.id)
    expect(claimsOf(next)['sid']).not.toBe(claimsOf(token)['sid'])
  })

  test('takes a password whose accents were typed on another keyboard', async () => {
    const account = { email: 'accents@mail.example', password: 'crème brûlée'.normalize('NFC') }
    await shop.call('POST', '/auth/register', account)
    expect((await logIn(account.email, account.password.normalize('NFD'))).status).toBe(200)
  })

  test('fails with the same body for a wrong password, an unknown address and nonsense', async () => {
    await shop.register('known@mail.example')
    const answers = await Promise.all([
      logIn('known@mail.example', 'not the password'),
      logIn('unknown@mail.example'),
      logIn('no address'),
      logIn('known@mail.example', 'x'.repeat(10_000)),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({
        code: 'invalid_credentials',
        message: 'E-mail address or password are not right. Please try again.',
        requestId: expect.any(String),
      })
    }
  })

  test('takes the same time to fail for a wrong password and for an unknown address', async () => {
    const timed = async (email: string): Promise<number> => {
      const start = performance.now()
      await logIn(email, 'not the password')
      return performance.now() - start
    }
    const compare = async (): Promise<number> => {
      // A new one each time: after twenty wrong passwords none would be looked at.
      const { email } = (await shop.register()).customer
      const known: number[] = []
      const unknown: number[] = []
      // In turns, so that whatever else the machine does falls on both.
      for (let round = 0; round < 15; round++) {
        known.push(await timed(email))
        unknown.push(await timed(`nobody${round}-${email}`))
      }
      const [one = 0, other = 0] = [median(known), median(unknown)].toSorted((left, right) => left - right)
      return other / one
    }
    // Without a hash to compare with, the ratio would be five or more, and in every one of the three rounds.
    const ratios = [await compare()]
    while ((ratios.at(-1) ?? 0) >= 1.5 && ratios.length < 3) ratios.push(await compare())
    expect(Math.min(...ratios)).toBeLessThan(1.5)
  })

  test('without e-mail address or password is missing_credentials', async () => {
    for (const body of [undefined, {}, { email: 'a@b.example' }, { password: 'x' }, { email: ' ', password: 'x' }]) {
      const answer = await shop.call('POST', '/auth/login', body)
      expect(refusal(answer)).toEqual({ status: 422, code: 'missing_credentials' })
    }
  })

  test('of far too many at once answers some, asks the rest to come back, and lets the shop go on meanwhile', async () => {
    const crowd = Promise.all(Array.from({ length: 250 }, (_, index) => logIn(`crowd${index}@mail.example`)))
    const health = await shop.call('GET', '/healthz')
    expect(health.status).toBe(200)
    const answers = await crowd
    const refused = answers.filter((answer) => answer.status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expect(refusal(answer).code).toBe('service_unavailable')
      expect(answer.headers['retry-after']).toBe('2')
    }
    const others = answers.filter((answer) => answer.status !== 503)
    expect(others.length).toBeGreaterThanOrEqual(66)
    expect(others.every((answer) => answer.status === 401)).toBe(true)
    expect((await logIn('crowd1@mail.example')).status).toBe(401)
  })
})

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

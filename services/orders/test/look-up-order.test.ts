import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUYER, cookie, createShop, ANONYMOUS, orderOf, errorOf, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
})
afterAll(() => shop.stop())

const place = async () => orderOf(await shop.checkOut(shop.addCart().id))
const lookUp = (body?: unknown, headers: object = ANONYMOUS) => shop.call('POST', '/orders/lookup', body, headers)
const opens = async (id: string, headers: object) =>
  (await shop.call('GET', `/orders/${id}`, undefined, headers)).status === 200
const NOT_FOUND = { status: 404, code: 'not_found' }

describe('a guest who knows the number and the address of an order', () => {
  test('sees it, in any spelling, and sees it again from this browser', async () => {
    const { id, number } = await place()
    for (const body of [
      { number, email: BUYER.email },
      { number: ` ${number.toLowerCase()}\t`, email: ` ${BUYER.email.toUpperCase()} ` },
      { number: id, email: BUYER.email },
      { number: id.toUpperCase(), email: BUYER.email },
    ]) {
      const response = await lookUp(body)
      const order = orderOf(response)
      expect(order).toMatchObject({ id, number, email: BUYER.email })
      expect(order.payment).not.toHaveProperty('reference')
      expect(await opens(id, cookie(response.browser))).toBe(true)
      expect(await opens(number, { 'x-order-token': order.accessToken })).toBe(true)
    }
  })

  test('sees it beside the orders of this browser, and no other one', async () => {
    const own = await shop.checkOut(shop.addCart().id)
    const [found, other] = [await place(), await place()]
    const response = await lookUp({ number: found.number, email: BUYER.email }, cookie(own.browser))
    expect(await opens(found.id, cookie(response.browser))).toBe(true)
    expect(await opens(orderOf(own).id, cookie(response.browser))).toBe(true)
    expect(await opens(other.id, cookie(response.browser))).toBe(false)
    // A signed-in customer sees only their own orders.
    expect(await opens(found.id, { ...cookie(response.browser), ...shop.suite.headers.customer('cus_eve') })).toBe(
      false,
    )
  })
})

describe('a lookup', () => {
  test('gets the same error whether number, address or both are wrong, and no cookie', async () => {
    const [one, other] = [
      await place(),
      orderOf(await shop.checkOut(shop.addCart().id, { ...BUYER, email: 'bo@b.example' })),
    ]
    const wrong = [
      { number: one.number, email: 'eve@mail.example' },
      { number: 'SF-99999999', email: BUYER.email },
      { number: 'SF-99999999', email: 'eve@mail.example' },
      { number: one.number, email: other.email },
      { number: one.number.replace('SF-', ''), email: BUYER.email },
      { number: `${one.number}%`, email: '%' },
      { number: one.number, email: BUYER.email.replace('i', '\u0130') },
      { number: one.number, email: BUYER.email.replace('@', '\u200b@') },
      { number: one.id, email: 'eve@mail.example' },
    ]
    const responses = await Promise.all(wrong.map((body) => lookUp(body)))
    for (const response of responses) {
      expect(errorOf(response)).toEqual(errorOf(responses[0] ?? response))
      expect(errorOf(response)).toMatchObject(NOT_FOUND)
      expect(response.browser).toBeUndefined()
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  })

  test.each([
    [undefined, ['number', 'email']],
    [{}, ['number', 'email']],
    [{ number: 'SF-10001' }, ['email']],
    [{ email: BUYER.email }, ['number']],
    [{ number: '  ', email: BUYER.email }, ['number']],
    [{ number: 'SF-10001', email: '\t' }, ['email']],
    [{ number: null, email: null }, ['number', 'email']],
  ])('needs both: %j', async (body, fields) => {
    expect(errorOf(await lookUp(body))).toMatchObject({ status: 422, code: 'missing_fields', detail: { fields } })
  })

  test.each([
    { number: 10001, email: 'a' },
    { number: ['SF-1'], email: 'a' },
    { number: 'a\0', email: 'b' },
    [],
    'SF-1',
  ])('is rejected when it is invalid: %j', async (body) => {
    expect(errorOf(await lookUp(body)).status).toBe(422)
  })
})

describe('looking up one number', () => {
  const age = () =>
    shop.suite.sql(`update orders.attempts set tried_at = array(
    select one - interval '1 hour' from unnest(tried_at) as one)`)

  test('is possible twenty times an hour, right or wrong, whether there is such an order or not', async () => {
    const { number } = await place()
    const messages: unknown[] = []
    for (const text of [number, 'SF-77777777']) {
      for (let tries = 0; tries < 20; tries++) {
        const typed = tries % 2 === 0 ? text : ` ${text.toLowerCase()}`
        expect(errorOf(await lookUp({ number: typed, email: `guess${tries}@mail.example` }))).toMatchObject(NOT_FOUND)
      }
      const rejected = await lookUp({ number: text, email: BUYER.email })
      expect(errorOf(rejected)).toMatchObject({ status: 429, code: 'rate_limited' })
      const wait = Number(rejected.headers['retry-after'])
      expect(wait).toBeGreaterThan(3500)
      expect(wait).toBeLessThanOrEqual(3600)
      messages.push(errorOf(rejected))
    }
    expect(messages[0]).toEqual(messages[1])
    // Another number is not affected, and after an hour this one can be looked up again.
    expect((await lookUp({ number: (await place()).number, email: BUYER.email })).status).toBe(200)
    await age()
    expect((await lookUp({ number, email: BUYER.email })).status).toBe(200)
  })

  test('is counted before anything is compared: of sixty at once no more than twenty are processed', async () => {
    const { number } = await place()
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => lookUp({ number, email: 'guess@mail.example' })),
    )
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(20)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40)
  })

  test('stores no number in the table of its counts', async () => {
    await lookUp({ number: 'SF-88888888', email: BUYER.email })
    const rows = await shop.suite.sql('select * from orders.attempts')
    expect(rows).not.toEqual([])
    expect(JSON.stringify(rows)).not.toMatch(/sf-|order_/i)
  })
})

test('without a rate limit at the gateway lookups of one order are not limited', async () => {
  const open = await createShop({ env: { RATE_LIMIT_LOOKUP: '0' } })
  try {
    const body = { number: 'SF-10001', email: 'guess@mail.example' }
    for (let tries = 0; tries < 25; tries++) {
      expect((await open.call('POST', '/orders/lookup', body)).status).toBe(404)
    }
  } finally {
    await open.stop()
  }
})

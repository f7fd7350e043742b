import { expect, test } from 'vitest'
import type { Recording } from './recorder.ts'
import { stable } from './stable-values.ts'

const STARTED_AT_MS = Date.parse('2027-05-06T07:08:09.123Z')
const CONTEXT = {
  startedAtMs: STARTED_AT_MS,
  addresses: new Map([['http://localhost:45678', 'http://localhost:8080']]),
}

/** The body as it is in the stable recording. */
function shown(body: unknown): unknown {
  const recording: Recording = {
    operation: 'GET /carts/{id}',
    caller: 'anonymous',
    path: {},
    query: {},
    headers: {},
    bodies: { 'application/json': body },
    replies: {},
  }
  return stable(recording, CONTEXT).bodies['application/json']
}

const hex = (digit: string) => digit.repeat(32)

test('ids are numbered by their kind, and the same id always gets the same number', () => {
  const one = `cart_${hex('a')}`
  expect(
    shown({ id: one, lines: [{ id: `line_${hex('b')}` }, { id: `line_${hex('c')}` }], url: `/carts/${one}` }),
  ).toEqual({
    id: `cart_${'1'.padStart(32, '0')}`,
    lines: [{ id: `line_${'1'.padStart(32, '0')}` }, { id: `line_${'2'.padStart(32, '0')}` }],
    url: `/carts/cart_${'1'.padStart(32, '0')}`,
  })
})

test('times are replaced by one before, during or after the recording, and holidays get the year of the examples', () => {
  const at = (ms: number) => new Date(STARTED_AT_MS + ms).toISOString()
  expect(shown({ placed: at(1000), since: at(-3_600_000), expires: at(86_400_000), day: '2028-12-25' })).toEqual({
    placed: '2026-03-01T09:30:00.000Z',
    since: '2026-03-01T09:30:00.000Z',
    expires: '2026-03-31T09:30:00.000Z',
    day: '2027-12-25',
  })
})

test('times of the demo data are before the recording, also those of the evening before', () => {
  const reviewed = [40 * 24, 7].map((hours) => new Date(STARTED_AT_MS - hours * 3_600_000).toISOString())
  expect(shown({ reviewed })).toEqual({ reviewed: ['2026-02-14T09:30:00.000Z', '2026-02-14T09:30:00.000Z'] })
})

test('numbers of a sequence are counted down, whatever gaps it has', () => {
  const audit = { items: [{ id: 539 }, { id: 531 }], total: 3, nextBeforeId: 531 }
  expect(shown(audit)).toEqual({ items: [{ id: 42 }, { id: 41 }], total: 3, nextBeforeId: 41 })
  expect(shown([{ id: 'cart-9' }, { id: 'orders-4' }])).toEqual([{ id: 'cart-42' }, { id: 'orders-41' }])
})

test('days of figures are as far from the time of the examples as from the recording', () => {
  const figures = { period: { from: '2027-05-05', to: '2027-05-06' }, days: [{ date: '2027-05-06' }] }
  expect(shown(figures)).toEqual({ period: { from: '2026-02-28', to: '2026-03-01' }, days: [{ date: '2026-03-01' }] })
})

test.each([
  ['a token', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjdXMifQ.c2lnbmF0dXJl'],
  ['a secret key', 'sk_4uFlq8Zr2Xk91mNpQw3'],
  ['an access token', '-WXGU9phaxEOZtBV0Hg0iSNQBeg'],
  ['an access token that has no digit by chance', '-WXGUlphaxEOZtBVoHgOiSNQBeg'],
  ['a hexadecimal secret', '9b23d8048abfad4bf53a4120'],
  ['a code', '482913'],
  ['the secret of an authenticator app', '5AHUEZWZNLOAKN5VMFDJVJLM3D3JAVVN'],
  ['a recovery code', '1HTGW-VXRW6-7HP2N-CZF3G-0M8QK'],
])('%s is replaced', (_what, secret) => {
  expect(JSON.stringify(shown({ value: secret, text: `Use ${secret} now` }))).not.toContain(
    secret === '482913' ? `"${secret}"` : secret,
  )
})

test('words, slugs and prices are kept', () => {
  const product = {
    slug: 'linen-camp-shirt-in-sage-and-oat',
    setting: 'freeShippingForEverybodyOver',
    tracking: '00340434161094042557',
    title: 'Linen Camp Shirt',
    price: { amount: 9200, currency: 'USD' },
  }
  expect(shown(product)).toEqual(product)
})

test('addresses are replaced by those of the documentation, and long lists are cut', () => {
  expect(shown({ urls: ['http://localhost:45678/a', 'b', 'c'], total: 3 })).toEqual({
    urls: ['http://localhost:8080/a', 'b'],
    total: 3,
  })
})

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '@storefront/tools/build-app'
import { unstyledClasses } from '../support/storefront-styles.ts'
import { openShop, type TestShop } from '../support/shop.ts'

// What shoppers do is in tests/browser/storefront-*.long.ts; these tests need no browser.

const Estimate = z.object({ arrivesAt: z.string() })

let shop: TestShop
let url: string

beforeAll(async () => {
  await buildApp('storefront', { print: () => {} })
  shop = await openShop({ storefront: true })
  url = shop.shop.storefrontUrl
  await shop.stockProduct('tee', 5)
})
afterAll(() => shop.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })

/** As a page with scripts sends it. */
const SCRIPT = { 'hx-request': 'true' }
const ENDED_SESSION = { ...SCRIPT, authorization: 'Bearer an.ended.session' }

async function variantId(): Promise<string> {
  const [product] = await shop.client().products()
  return product?.variants[0]?.id ?? ''
}

test('pages are the same for all shoppers, set no cookie and are revalidated by a browser each time', async () => {
  const first = await get('/', { 'accept-encoding': 'br' })
  expect(first.status).toBe(200)
  expect(first.headers.get('set-cookie')).toBeNull()
  expect(first.headers.get('content-encoding')).toBe('br')
  expect(first.headers.get('cache-control')).toMatch(/max-age=0.*must-revalidate/)
  const again = await get('/', { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect((await get('/?utm_source=mail')).headers.get('etag')).toBe(first.headers.get('etag'))
})

test('the content security policy of a page allows no script or style that the shop did not write', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none'/)
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'(?:;|$)/)
  expect(policy).toMatch(/style-src (?:'sha256-[^']+' ?)+(?:;|$)/)
  expect(policy).toMatch(/frame-ancestors 'none'/)
})

test.each([
  '/',
  '/shop/women',
  '/search?q=shirt',
  '/cart',
  '/checkout',
  '/account',
  '/account/register',
  '/orders/lookup',
  '/wishlist',
  '/pages/size-guide',
  '/pages/shipping',
  '/product/tee',
  '/nowhere',
])('%s has the styles of all that it shows', async (path) => {
  const html = await (await get(path)).text()
  expect(html).toContain('<style>')
  expect(unstyledClasses(html)).toEqual([])
})

test('a text of the merchant is shown as text, in the title and in a section', async () => {
  const evil = '</title><script>alert(1)</script>'
  await shop.admin.call('PATCH', '/admin/storefront', {
    store: { name: evil },
    home: [{ type: 'hero', title: evil, actions: [{ label: 'go', to: 'javascript:alert(1)' }] }],
  })
  await expect.poll(async () => (await get('/')).text()).toContain('&lt;/title>&lt;script>')
  const text = await (await get('/')).text()
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('javascript:')
})

describe('the bag of a shopper', () => {
  test('without scripts is a cookie that no script reads', async () => {
    const response = await post('/bag/lines', { variant: await variantId(), quantity: '2' })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^bag=cart_\w+; .*HttpOnly; SameSite=Lax/)
    // A page that is loaded again must not put the product into the bag again.
    expect([response.status, response.headers.get('location')]).toEqual([303, '/cart?added=1'])
    expect((await get('/bag/lines')).headers.get('location')).toBe('/cart')
    // A cookie without a name, which another program on the address may set, does not replace it.
    const page = await get('/cart', { cookie: `${cookie.split(';')[0]}; bagx` })
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(await page.text()).toContain('value="2"')
  })

  test('with a script is a header, which the browser keeps', async () => {
    const response = await post('/bag/lines', { variant: await variantId(), quantity: '3' }, SCRIPT)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('x-bag-count')).toBe('3')
    const id = response.headers.get('x-bag-id') ?? ''
    expect(await (await get('/cart/contents', { ...SCRIPT, 'x-bag-id': id })).text()).toContain('value="3"')
  })

  test('without scripts says that a price has changed since its page was rendered', async () => {
    const { id, lines } = await shop.client().cartWith(await variantId())
    const [line] = lines
    const change = (before: number) =>
      post(`/bag/lines/${line?.id ?? ''}`, { quantity: '1', before: String(before) }, { cookie: `bag=${id}` })
    expect(await (await change(1)).text()).toMatch(/ is now \$[\d.]+; it was \$0\.01\./)
    const same = await change(line?.unitPrice.amount ?? 0)
    expect([same.status, same.headers.get('location')]).toEqual([303, '/cart'])
  })

  test('that is a cookie is still there when scripts load again, and a sign-out deletes all cookies', async () => {
    const response = await post('/bag/lines', { variant: await variantId(), quantity: '2' })
    const bag = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const drawer = await get('/cart/contents', { ...SCRIPT, cookie: bag })
    expect([drawer.headers.get('x-bag-count'), drawer.headers.get('x-bag-id')]).toEqual(['2', null])
    const customer = shop.client()
    await customer.register('cookie.and.script@example.com')
    const cookie = `${bag}; session=${customer.token ?? ''}`
    const left = await post('/account/sign-out', {}, { ...SCRIPT, cookie })
    expect(left.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=; .*Max-Age=0/),
      expect.stringMatching(/^bag=; .*Max-Age=0/),
    ])
    await expect.poll(async () => (await customer.get('/me')).status).toBe(401)
  })

  test.each([
    ['the hearts', 'GET', '/wishlist/items'],
    ['a heart', 'POST', '/wishlist/items'],
    ['the wishlist', 'POST', '/wishlist/contents'],
    ['the account', 'GET', '/account'],
    ['a form of the account', 'POST', '/account/verification'],
    ['a review', 'POST', '/product/tee/review'],
  ])('is removed when the session has ended, unless it belongs to a guest: %s', async (name, method, path) => {
    const customer = shop.client()
    await customer.register(`${name.replaceAll(' ', '.')}@example.com`)
    const variant = await variantId()
    const [own, guests] = await Promise.all([customer.cartWith(variant), shop.client().cartWith(variant)])
    const kept = async (bag: string) => {
      const sent = { ...ENDED_SESSION, 'x-bag-id': bag }
      const form = { slug: 'tee', saved: '1' }
      const { headers } = await (method === 'POST' ? post(path, form, sent) : get(path, sent))
      return ['x-session', 'x-bag-id', 'x-bag-count'].map((header) => headers.get(header))
    }
    expect(await kept(own.id)).toEqual(['', '', '0'])
    expect(await kept(guests.id)).toEqual(['', null, null])
  })

  test('leads to the sign-in when the session of its customer has ended', async () => {
    const customer = shop.client()
    await customer.register('ended@example.com')
    const { id } = await customer.cartWith(await variantId())
    const cookie = `session=an.ended.session; bag=${id}`
    expect((await get('/checkout', { cookie })).headers.get('location')).toBe('/account?next=/checkout')
    const page = await get('/cart', { cookie })
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=; .*Max-Age=0/),
      expect.stringMatching(/^bag=; .*Max-Age=0/),
    ])
    expect(await page.text()).toContain('Please sign in again. <a href="/account?next=/cart">Sign in</a>')
  })

  test.each([
    ['looks at it', 'GET', '/cart/contents'],
    ['changes a line', 'POST', '/bag/lines/line_1'],
    ['enters a code', 'POST', '/bag/discount'],
  ])('says why it is gone when the shopper %s', async (_name, method, path) => {
    const sent = { ...SCRIPT, 'x-bag-id': 'cart_gone' }
    const form = { quantity: '2', code: 'SALE' }
    const response = await (method === 'POST' ? post(path, form, sent) : get(path, sent))
    const kept = ['x-bag-id', 'x-bag-count'].map((header) => response.headers.get(header))
    expect([response.status, ...kept]).toEqual([200, '', '0'])
    const html = await response.text()
    expect(html).toMatch(/^<div class="bag"><p class="notice">This bag is no longer here: it was ordered, belongs to/)
  })

  test('cannot be changed by a form of another site', async () => {
    const form = { variant: await variantId(), quantity: '1' }
    const response = await post('/bag/lines', form, { origin: 'https://evil.example' })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<h1>This did not work</h1>')
    expect((await post('/bag/lines', form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post('/bag/lines', form, { origin: url })).status).toBe(303)
  })

  test('gets a notice for each invalid form, and an invalid cookie does no harm', async () => {
    for (const form of [{}, { variant: '../../admin' }, { variant: await variantId(), quantity: '1e99' }]) {
      const response = await post('/bag/lines', form)
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(/<p class="notice"/)
    }
    for (const cookie of ['bag=../../admin', 'bag=cart_unknown', `bag=${'x'.repeat(3000)}`]) {
      expect((await get('/cart', { cookie })).status).toBe(200)
    }
  })
})

test('a chart in inches is converted in the size guide, however its unit is written', async () => {
  const chart = { id: 'belts', unit: 'Inch', columns: ['Size', 'Length'], rows: [['M', 40]] }
  expect((await shop.admin.call('POST', '/admin/size-charts', chart)).status).toBe(200)
  const guide = async () => (await get('/pages/size-guide?unit=cm')).text()
  await expect.poll(guide).toMatch(/Length \(cm\).*>101\.6</s)
})

test('a page with scripts shows a notice about a missing variant, and is not replaced by another page', async () => {
  const form = { kind: 'back-in-stock', product: 'tee', variant: 'var_gone', email: 'ada@example.com' }
  const response = await post('/alerts', form, SCRIPT)
  expect([response.status, response.headers.get('hx-retarget')]).toEqual([404, '#notice'])
  expect(await response.text()).toMatch(/^<p class="notice notice-problem">[^<]+<\/p>$/)
})

test('a guest sees all products that the browser keeps', async () => {
  const slugs = Array.from({ length: 13 }, (_, index) => `saved-${index}`)
  for (const slug of slugs) await shop.stockProduct(slug, 5)
  const html = await (await post('/wishlist/contents', { saved: slugs.join(',') }, SCRIPT)).text()
  expect(html.match(/class="card-link" href="[^"]*"/g)).toEqual(
    slugs.map((slug) => `class="card-link" href="/product/${slug}"`),
  )
})

test('a card and a suggestion show the lowest price at which a product is sold', async () => {
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  const parka = (slug: string, price: number, prices: Record<string, number>) => ({
    slug,
    title: `Parka ${slug}`,
    price: usd(price),
    options: [{ name: 'Size', values: Object.keys(prices) }],
    variants: Object.entries(prices).map(([Size, amount]) => ({
      sku: `${slug}-${Size}`,
      options: { Size },
      price: usd(amount),
      compareAtPrice: usd(amount + 2000),
      inventory: 5,
    })),
  })
  const products = [parka('above-fifty', 5000, { M: 6000, L: 7000 }), parka('below-ninety', 9200, { M: 6000, L: 6000 })]
  expect((await shop.admin.post('/admin/import', { mode: 'merge', products })).status).toBe(200)
  const found = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => text)
  const cards = await (await post('/wishlist/contents', { saved: 'above-fifty,below-ninety' }, SCRIPT)).text()
  expect(found(cards, /class="price-now[^>]*>([^<]*)</g)).toEqual(['from $60.00', '$60.00'])
  expect(found(cards, /([^>]*)<\/s>/g)).toEqual(['$80.00', '$80.00'])
  const suggested = async () => found(await (await get('/search/suggest?q=parka', SCRIPT)).text(), /"hint">([^<]*)</g)
  await expect.poll(async () => new Set(await suggested())).toEqual(new Set(['$60.00', 'from $60.00']))
})

test.each([
  ['Pacific/Kiritimati', 'Pacific/Kiritimati'],
  ['', 'UTC'],
])('delivery days are those of the shop, whose time zone is %j', async (timeZone, shown) => {
  const saved = await shop.admin.call('PATCH', '/admin/storefront', { commerce: { timeZone } })
  expect(saved.status).toBe(200)
  const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', day: 'numeric', month: 'long', timeZone: shown })
  // Noon of the shop: in Kiritimati it is the day before in UTC.
  const isRight = async () => {
    const { arrivesAt } = Estimate.parse((await shop.client().get('/delivery-estimate')).body)
    const text = await (await get('/delivery-estimate', SCRIPT)).text()
    const isNoon = new Date(arrivesAt).getUTCHours() === (shown === 'UTC' ? 12 : 22)
    return isNoon && text.includes(`arrives ${days.format(new Date(arrivesAt))} (`)
  }
  await expect.poll(isRight).toBe(true)
})

describe('a review that is sent without a session', () => {
  const review = { rating: '4', author: 'Ada', body: 'Cool in June.' }

  test.each([
    ['that has ended', ENDED_SESSION],
    ['that is gone from the browser', SCRIPT],
    ['in a browser without scripts', { cookie: 'session=an.ended.session' }],
  ])('%s stays in its form', async (_name, headers) => {
    const html = await (await post('/product/tee/review', review, headers)).text()
    expect(html).toContain('You were signed out. Sign in in another tab, then send the review again')
    expect(html).toContain('<a href="/account?next=%2Fproduct%2Ftee%2Freview" target="_blank" rel="noopener">')
    expect(html).toMatch(/name="author"[^>]* value="Ada"/)
    expect(html).toMatch(/<textarea[^>]*>Cool in June\.<\/textarea>/)
    expect(html).toMatch(/value="4"[^>]* checked/)
  })
})

test('an order that is opened with a session that has ended leads to the sign-in, and from there back', async () => {
  const signIn = '/account?next=%2Forder%2Forder_1'
  expect((await get('/order/order_1', ENDED_SESSION)).headers.get('hx-redirect')).toBe(signIn)
  const withoutScript = await get('/order/order_1', { cookie: 'session=an.ended.session' })
  expect([withoutScript.status, withoutScript.headers.get('location')]).toEqual([303, signIn])
  const page = await (await get(signIn, ENDED_SESSION)).text()
  expect(page).toContain('<input type="hidden" name="next" value="/order/order_1"')
})

test.each([
  ['/auth/password/reset', '/account/forgot', 'Request a new link'],
  ['/auth/email/verify', '/account', 'Go to your account'],
  ['/newsletter/confirm', '/shop', 'Go to the shop'],
  ['/alerts/confirm', '/shop', 'Go to the shop'],
])('a link to %s that has expired leads on to %s', async (path, next, name) => {
  const response = await post(path, { token: 'expired', password: 'correct horse battery' })
  expect(response.status).toBe(422)
  const html = await response.text()
  const [, ...link] = /role="alert".*?<a class="button" href="([^"]*)">([^<]*)</s.exec(html) ?? []
  expect(link).toEqual([next, name])
})

describe('webhooks', () => {
  const send = (body: string, headers: Record<string, string>) =>
    fetch(`${url}/api/revalidate`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  function signed(body: string, at = new Date(), secret = shop.shop.webhookSecret): Record<string, string> {
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    }
  }

  test('are accepted with the signature of the shop only', async () => {
    const body = JSON.stringify({ type: 'settings.updated', at: new Date().toISOString() })
    expect((await send(body, signed(body))).status).toBe(204)
    const wrong = [
      {},
      signed(`${body} `),
      signed(body, new Date(Date.now() - 600_000)),
      signed(body, new Date(), `whsec_${Buffer.alloc(24).toString('base64')}`),
    ]
    for (const headers of wrong) expect((await send(body, headers)).status).toBe(401)
    expect((await send('{', signed('{'))).status).toBe(401)
  })
})

test('an address without a page gets an error page', async () => {
  for (const path of ['/nothing', '/%00', '/..%2f..%2fetc/passwd', `/${'x'.repeat(2000)}`]) {
    const response = await get(path)
    expect([400, 404, 414], path).toContain(response.status)
    expect(await response.text()).toMatch(/<h1>/)
  }
})

test('the storefront passes on the pictures of the shop with their security headers, and nothing else of the shop', async () => {
  const picture = await get('/media/placeholder.svg')
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox$/)
  expect(picture.headers.get('cache-control')).toMatch(/immutable|max-age/)
  expect((await get('/media/placeholder.svg', { 'if-none-match': picture.headers.get('etag') ?? '' })).status).toBe(304)
  expect((await get('/media/no-such-picture.svg')).status).toBe(404)
  for (const path of ['/media/..%2fproducts', '/media/%2e%2e/products', '/media/..%5cproducts', '/media//products']) {
    expect((await get(path)).status, path).toBeGreaterThanOrEqual(400)
  }
  expect((await post('/media/placeholder.svg', {})).status).toBe(404)
})

test('built files are cached for a year, and no other file of the server is served', async () => {
  const [, script = ''] = /(\/assets\/page-[\w-]+\.js)/.exec(await (await get('/')).text()) ?? []
  const response = await get(script)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/assets/../manifest.json', '/assets/..%2f..%2fserver%2fmain.js', '/manifest.json']) {
    expect((await get(path)).status, path).toBe(404)
  }
})

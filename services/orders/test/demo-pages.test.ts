import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '@storefront/contracts'
import { readConfig, systemClock } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { OrdersConfig } from '../src/config.ts'
import type { Database } from '../src/database.ts'
import { createDemoProvider } from '../src/payments/demo/demo-provider.ts'
import type { SessionToOpen } from '../src/payments/provider.ts'
import { startOrders, type RunningOrders } from '../src/start.ts'
import { keptEvents, openDatabase } from './webhooks.ts'

const SUCCESS = 'https://shop.example/thanks?order=order_1&x=%20'
const CANCEL = 'https://shop.example/bag'
let suite: Suite
let db: Database
let orders: RunningOrders
let demo: ReturnType<typeof createDemoProvider>

beforeAll(async () => {
  suite = await createSuite('orders')
  db = openDatabase(suite)
  orders = await startOrders(readConfig(OrdersConfig, { ...suite.env('orders'), PORT: '0' }), suite.log)
  demo = createDemoProvider({ db, clock: systemClock, publicUrl: orders.url, webhookSecret: undefined })
})
afterAll(async () => {
  await orders.stop()
  await db.destroy()
  await suite.stop()
})

async function open(more: Partial<SessionToOpen> = {}) {
  const session: SessionToOpen = {
    id: newId('payment'),
    orderId: newId('order'),
    total: { amount: 123_456, currency: 'USD' },
    email: 'ada@mail.example',
    description: '2 items',
    storeName: 'Shop & Sons',
    successUrl: SUCCESS,
    cancelUrl: CANCEL,
    expiresAt: new Date(Date.now() + 30 * 60_000),
    ...more,
  }
  const { providerSession, url = '' } = await demo.openSession(session)
  return { ...session, name: providerSession, url }
}

interface Page {
  status: number
  text: string
  headers: Headers
  location: string | null
  /** The targets of its forms, by the labels of their buttons. */
  forms: { action: string; label: string }[]
}

/** Requests a page, and returns a redirect without following it. */
async function openPage(url: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const forms = [...text.matchAll(/<form method="post" action="([^"]+)"><button[^>]*>([^<]*)<\/button>/g)]
  return {
    status: response.status,
    text,
    headers: response.headers,
    location: response.headers.get('location'),
    forms: forms.map(([, action = '', label = '']) => ({ action: new URL(action, url).href, label })),
  }
}

/** Submits a form of the page, like a browser that sends no origin. */
async function press(url: string, label: RegExp): Promise<Page & { from: string }> {
  const page = await openPage(url)
  const form = page.forms.find((each) => label.test(each.label))
  if (!form) throw new Error(`no such button: ${page.text}`)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' }
  return { ...(await openPage(form.action, { method: 'POST', headers, body: '' })), from: form.action }
}

const eventsOf = async (name: string) =>
  (await keptEvents(suite)).filter(({ payload }) => payload.toString().includes(`"${name}"`))
const stateOf = async (name: string) =>
  (await suite.sql<{ status: string }>('select status from orders.demo_sessions where id = $1', [name]))[0]?.status

describe('the page of the demo provider', () => {
  test('shows the shop, the amount and the purpose, and that no money moves', async () => {
    const { url } = await open()
    const page = await openPage(url)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('<html lang="en">')
    expect(page.text).toContain('<h1>Pay Shop &amp; Sons</h1>')
    expect(page.text).toContain('2 items')
    expect(page.text).toContain('ada@mail.example')
    expect(page.text).toContain('$1,234.56')
    expect(page.text).toContain('You are not charged')
    expect(page.forms.map(({ label }) => label)).toEqual([
      'Pay $1,234.56',
      'Simulate a declined card',
      'Cancel and go back to Shop &amp; Sons',
    ])
  })

  test('shows a heading for a shop without a name', async () => {
    const { url } = await open({ storeName: ' ' })
    expect((await openPage(url)).text).toContain('<h1>Pay the shop</h1>')
  })

  test('formats the amount as the shop does', async () => {
    const { id, url } = await open({ total: { amount: 123_456, currency: 'EUR' } })
    await insertCheckout(id, { locale: 'de-DE' })
    expect((await openPage(url)).text).toMatch(/1\.234,56\s€/)
  })

  test('is private: not cached, not indexed, not framed, without script, and its address is not sent as a referrer', async () => {
    const { url } = await open()
    const { headers, text } = await openPage(url)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('set-cookie')).toBeNull()
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:\/\/shop\.example; /,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(text).not.toMatch(/<script|\son\w+=|style="/)
  })

  test('escapes text of outsiders, and links only to http and https', async () => {
    const { url } = await open({
      storeName: '"><script>alert(1)</script>',
      description: `<img src=x onerror='alert(2)'>`,
      email: '"><b>@mail.example',
      successUrl: 'javascript:alert(3)',
      cancelUrl: 'data:text/html,x',
    })
    const page = await openPage(url)
    expect(page.text).not.toMatch(/<script|<img|<b>|javascript:|data:/)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
    const paid = await press(url, /^Pay/)
    expect(new URL(paid.location ?? '', paid.from).href).toBe(url)
    expect((await openPage(url)).text).not.toMatch(/<script|javascript:|href=/)
  })

  test('is an error page when there is no such payment', async () => {
    for (const path of ['demo_cs_unknown', '%3Cscript%3E', 'demo_cs_unknown/pay']) {
      const method = path.endsWith('/pay') ? 'POST' : 'GET'
      const page = await openPage(`${orders.url}/payments/demo/${path}`, { method })
      expect(page.status).toBe(404)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(page.text).toContain('We could not find this payment.')
      expect(page.text).not.toContain('<script')
    }
  })
})

describe('a buyer', () => {
  test('who pays returns to the shop, which has the event', async () => {
    const { id, name, url } = await open()
    const page = await press(url, /^Pay/)
    expect([page.status, page.location]).toEqual([303, SUCCESS])
    const [event, ...others] = await eventsOf(name)
    expect(others).toEqual([])
    expect(JSON.parse(String(event?.payload))).toEqual({
      type: 'payment.captured',
      session: name,
      session_id: id,
      payment: expect.stringMatching(/^demo_pay_[0-9a-f]{32}$/),
      total: { amount: 123_456, currency: 'USD' },
    })
    expect(demo.readWebhook(event?.payload ?? Buffer.alloc(0))).toEqual(
      await demo.inspectSession({ id, providerSession: name }),
    )
  })

  test('who pays ten times at once pays once, and returns to the shop each time', async () => {
    const { name, url } = await open()
    const pages = await Promise.all(Array.from({ length: 10 }, () => openPage(`${url}/pay`, { method: 'POST' })))
    expect(pages.map(({ status, location }) => [status, location])).toEqual(pages.map(() => [303, SUCCESS]))
    expect(await eventsOf(name)).toHaveLength(1)
    const page = await openPage(url)
    expect(page.forms).toEqual([])
    expect(page.text).toContain('You cannot be charged again.')
    expect(page.text).toContain(`href="${SUCCESS.replace('&', '&amp;')}"`)
  })

  test('who pays and cancels at once has done only one of the two', async () => {
    const { name, url } = await open()
    await Promise.all(
      ['pay', 'cancel', 'decline', 'pay', 'cancel'].map((what) => openPage(`${url}/${what}`, { method: 'POST' })),
    )
    const state = await stateOf(name)
    expect(['paid', 'cancelled']).toContain(state)
    const types = (await eventsOf(name)).map(({ type }) => type).filter((type) => type !== 'payment.failed')
    expect(types).toEqual([state === 'paid' ? 'payment.captured' : 'payment.cancelled'])
  })

  test('who pays in a shop without a success page sees the confirmation here', async () => {
    const { url } = await open({ successUrl: undefined, cancelUrl: undefined })
    const page = await press(url, /^Pay/)
    expect(page.status).toBe(303)
    const result = await openPage(new URL(page.location ?? '', page.from).href)
    expect(result.text).toContain('<h1>Paid, thank you</h1>')
    expect(result.text).not.toContain('href=')
  })

  test('waits until the shop has the order, but not much longer when it has none', async () => {
    const waiting = await open()
    await insertCheckout(waiting.id)
    let arrived = false
    const paying = press(waiting.url, /^Pay/).finally(() => (arrived = true))
    await waitFor('the payment', async () => (await stateOf(waiting.name)) === 'paid')
    expect(arrived).toBe(false)
    await suite.sql(`update orders.payment_sessions set status = 'completed' where id = $1`, [waiting.id])
    expect((await paying).location).toBe(SUCCESS)

    const deleted = await open()
    await insertCheckout(deleted.id)
    const startedMs = performance.now()
    expect((await press(deleted.url, /^Pay/)).location).toBe(SUCCESS)
    expect(performance.now() - startedMs).toBeGreaterThan(2500)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
  })

  test('whose card is declined sees that, and may try again', async () => {
    const { name, url } = await open()
    for (let times = 0; times < 2; times++) {
      const page = await press(url, /declined/)
      expect(page.status).toBe(303)
      const again = await openPage(new URL(page.location ?? '', page.from).href)
      expect(again.text).toContain('role="alert"')
      expect(again.text).toContain('The payment was declined. Nothing was paid.')
    }
    expect((await eventsOf(name)).map(({ type }) => type)).toEqual(['payment.failed'])
    expect((await press(url, /^Pay/)).location).toBe(SUCCESS)
    expect((await eventsOf(name)).map(({ type }) => type)).toEqual(['payment.failed', 'payment.captured'])
  })

  test('who cancels returns to the cart, and the session can no longer be paid', async () => {
    const { name, url } = await open()
    expect((await press(url, /^Cancel/)).location).toBe(CANCEL)
    expect((await openPage(`${url}/cancel`, { method: 'POST' })).location).toBe(CANCEL)
    const late = await openPage(`${url}/pay`, { method: 'POST' })
    expect([late.status, late.location]).toEqual([303, `../${name}`])
    expect((await openPage(url)).text).toContain('You canceled this payment. Nothing was paid.')
    expect((await eventsOf(name)).map(({ type }) => type)).toEqual(['payment.cancelled'])
  })

  test.each([
    [
      'the session has expired',
      async (name: string) =>
        suite.sql(`update orders.demo_sessions set expires_at = now() - interval '1 s' where id = $1`, [name]),
    ],
    ['the shop has closed it', async (name: string) => demo.closeSession({ id: '', providerSession: name })],
  ])('cannot pay when %s', async (_what, end) => {
    const { name, url } = await open()
    await end(name)
    for (const what of ['pay', 'decline', 'cancel']) {
      const response = await openPage(`${url}/${what}`, { method: 'POST' })
      expect([response.status, response.location]).toEqual([303, `../${name}`])
    }
    const page = await openPage(url)
    expect(page.text).toContain('<h1>This payment has ended</h1>')
    expect(page.forms).toEqual([])
    expect(await eventsOf(name)).toEqual([])
  })
})

/** The shop's own record of an open checkout. */
async function insertCheckout(id: string, { locale = 'en-US' } = {}): Promise<void> {
  await suite.sql(
    `insert into orders.payment_sessions (id, order_id, cart_id, asked_cart_id, provider, status, email, document,
       number_prefix, request_hash, secret_hashes, created_at, expires_at)
     values ($1, $2, $3, $3, 'demo', 'open', 'ada@mail.example', $4, 'SF-', '', '{}', now(), now() + interval '30 min')`,
    [id, newId('order'), newId('cart'), JSON.stringify({ locale })],
  )
}

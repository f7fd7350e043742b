import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { followRule } from '@storefront/postgres/testing'
import { HttpError } from '@storefront/service'
import { waitForLock } from '@storefront/tools/testing'
import { DraftOrderSummary, listOf, PaymentLinkRequested, PERMISSIONS, ReadPaymentLink } from '@storefront/contracts'
import { lockDraft, saveDraft, saveSent } from '../src/drafts/drafts.queries.ts'
import { replaceLink } from '../src/drafts/payment-links.queries.ts'
import { RETENTION } from '../src/retention.ts'
import { DRAFT, draftOf, draftShop } from './draft-shop.ts'
import { createShop, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop
let admin: object
let notifier: Messaging
let drafts: ReturnType<typeof draftShop>

beforeAll(async () => {
  shop = await createShop()
  notifier = await shop.suite.openMessaging('notifier')
  admin = shop.suite.headers.admin(['orders:read', 'orders:write'])
  drafts = draftShop(shop, admin)
})
afterAll(() => shop.stop())
beforeEach(() => {
  delete shop.goods.error
  shop.stock.set('var_m', 20)
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers: object = admin) =>
  shop.call(method, `/admin/draft-orders${path}`, body, headers)

const List = listOf(DraftOrderSummary).extend({ page: z.int(), perPage: z.int(), nextCursor: z.string().optional() })
const list = async (query = '') => List.parse((await call('GET', query)).body)

describe('a merchant', () => {
  test('creates a draft order with what it costs, and reserves nothing', async () => {
    const before = shop.reservations()
    const draft = await drafts.create({ discountCode: ' tenoff ', note: 'On the phone', shippingMethod: 'express' })
    expect(draft).toMatchObject({
      status: 'open',
      email: DRAFT.email,
      shippingAddress: { country: 'US' },
      discountCode: 'TENOFF',
      note: 'On the phone',
      lines: DRAFT.lines,
      quote: { currency: 'USD', total: usd(8920), lines: [{ title: 'Linen shirt', quantity: 2 }] },
    })
    expect(draft).not.toHaveProperty('problem')
    expect(shop.quotes.at(-1)).toMatchObject({
      cartId: draft.id,
      email: DRAFT.email,
      shippingMethod: 'express',
      goods: { lines: [{ variantId: 'var_m', quantity: 2 }], discountCode: 'TENOFF' },
    })
    expect(shop.reservations()).toBe(before)
  })

  test('gets the price of goods before they are saved, without an address', async () => {
    const { total } = await list()
    const response = await call('POST', '/quote', { lines: DRAFT.lines })
    expect(response).toMatchObject({ status: 200, body: { total: usd(8920) } })
    expect(shop.quotes.at(-1)).toMatchObject({ onBehalf: true })
    expect((await list()).total).toBe(total)
  })

  test('lists drafts by status and page by page, the latest first', async () => {
    const [first, second] = [await drafts.create(), await drafts.create()]
    await drafts.send(second.id)
    const page = await list('?per_page=1')
    expect(page.items).toMatchObject([{ id: second.id, status: 'sent', name: 'Ada', total: usd(8920), items: 2 }])
    const next = await list(`?per_page=1&cursor=${page.nextCursor}`)
    expect(next.items).toMatchObject([{ id: first.id, status: 'open' }])
    expect(await list('?per_page=1&page=2')).toEqual({ ...next, page: 2, perPage: 1 })
    expect((await list('?status=open')).items.map(({ id }) => id)).not.toContain(second.id)
    // PostgreSQL has no year zero.
    const yearZero = Buffer.from(JSON.stringify(['0000-01-01T00:00:00.000000Z', first.id])).toString('base64url')
    for (const cursor of ['nonsense', yearZero])
      expect(errorOf(await call('GET', `?cursor=${cursor}`))).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  test('changes one field, and a change based on an outdated version is a conflict', async () => {
    const { id } = await drafts.create()
    const read = await call('GET', `/${id}`)
    const tag = { ...admin, 'if-match': String(read.headers['etag']) }
    const lines = [...DRAFT.lines, { variantId: 'var_l', quantity: 1 }]
    const changed = draftOf(await call('PATCH', `/${id}`, { lines }, tag))
    expect(changed).toMatchObject({ email: DRAFT.email, lines, quote: { total: usd(12_920) } })
    expect(errorOf(await call('PATCH', `/${id}`, { note: 'x' }, tag))).toMatchObject({ status: 409, code: 'conflict' })
    expect(errorOf(await call('DELETE', `/${id}`, undefined, tag))).toMatchObject({ status: 409, code: 'conflict' })
    expect(errorOf(await call('POST', `/${id}/send`, {}, tag))).toMatchObject({ status: 409, code: 'conflict' })
    expect(draftOf(await call('PATCH', `/${id}`, changed))).toMatchObject({ lines })
  })

  test('gets the reason why a draft is not possible', async () => {
    const rejection = async (body: object) => errorOf(await call('POST', '', body)).code
    expect(await rejection({ ...DRAFT, lines: [] })).toBe('validation_failed')
    expect(await rejection({ ...DRAFT, lines: [...DRAFT.lines, ...DRAFT.lines] })).toBe('validation_failed')
    expect(await rejection({ ...DRAFT, email: 'no address' })).toBe('invalid_email')
    expect(await rejection({ ...DRAFT, shippingAddress: { country: 'Atlantis' } })).toBe('validation_failed')
    // In upper case, each of these becomes two letters.
    expect(await rejection({ ...DRAFT, discountCode: 'ß'.repeat(60) })).toBe('validation_failed')
    const { id } = await drafts.create({ email: '', shippingAddress: { country: 'US' } })
    expect(errorOf(await call('POST', `/${id}/send`, {}))).toMatchObject({ code: 'email_required' })
    await call('PATCH', `/${id}`, { email: DRAFT.email })
    expect(errorOf(await call('POST', `/${id}/send`, {}))).toMatchObject({
      code: 'missing_fields',
      detail: { fields: expect.arrayContaining(['shippingAddress.line1']) },
    })
    shop.goods.error = new HttpError('invalid_discount', 'This code has expired.')
    expect(await drafts.read(id)).toMatchObject({
      problem: { code: 'invalid_discount', message: 'This code has expired.' },
      quote: { total: usd(8920) },
    })
  })

  test('cannot make a draft incomplete that was sent', async () => {
    const { draft } = await drafts.sent()
    expect(errorOf(await call('PATCH', `/${draft.id}`, { email: '' }))).toMatchObject({ code: 'email_required' })
    const shippingAddress = { ...DRAFT.shippingAddress, line1: '', country: '' }
    expect(errorOf(await call('PATCH', `/${draft.id}`, { shippingAddress }))).toMatchObject({
      code: 'missing_fields',
      detail: { fields: ['shippingAddress.line1', 'shippingAddress.country'] },
    })
    expect(await drafts.read(draft.id)).toMatchObject({ email: DRAFT.email, shippingAddress: { line1: '1 Way' } })
    expect(draftOf(await call('PATCH', `/${draft.id}`, { email: 'bob@mail.example' }))).toMatchObject({
      status: 'sent',
    })
  })

  test('sends a link, of which only the digest is stored, and the mail with it', async () => {
    const { draft, path } = await drafts.sent()
    expect(draft.url).toMatch(/\/pay\/link_[\w-]{43}$/)
    const days = (Date.parse(draft.expiresAt ?? '') - Date.parse(draft.sentAt ?? '')) / 86_400_000
    expect(days).toBe(7)
    const rows = await shop.suite.sql<{ token_hash: Buffer }>(
      'select * from orders.payment_links where draft_id = $1',
      [draft.id],
    )
    expect(rows.map((row) => row.token_hash)).toEqual([drafts.hashOf(path)])
    const requested = async () =>
      (await shop.suite.eventsOf(PaymentLinkRequested)).filter(({ draftId }) => draftId === draft.id)
    expect(await requested()).toEqual([])

    const again = await drafts.send(draft.id, { mail: true })
    expect(again.path).not.toBe(path)
    // The event contains no token.
    expect(await requested()).toEqual([{ draftId: draft.id, linkNumber: 2, to: DRAFT.email, name: 'Ada' }])

    const link = await sendRequest(notifier, ReadPaymentLink, { draftId: draft.id, linkNumber: 2 })
    expect(link.url).toBe(again.draft.url)
    expect(await sendRequest(notifier, ReadPaymentLink, { draftId: draft.id, linkNumber: 1 })).toEqual({})
    await call('DELETE', `/${draft.id}`)
    expect(await sendRequest(notifier, ReadPaymentLink, { draftId: draft.id, linkNumber: 2 })).toEqual({})
  })

  test('ends a link that a mail requests at this moment', async () => {
    const { draft, path } = await drafts.sent()
    const { db } = shop.orders.context
    const next = drafts.hashOf('another link')
    const { link } = await transaction(db, async (tx) => {
      const before = await lockDraft(tx, draft.id)
      if (!before) throw new Error('there is no draft')
      const now = new Date()
      const expiresAt = new Date(now.getTime() + 60_000)
      await saveSent(tx, draft.id, { number: 2, sentAt: now, expiresAt, quote: before.quote })
      await replaceLink(tx, draft.id, next)
      const request = sendRequest(notifier, ReadPaymentLink, { draftId: draft.id, linkNumber: 1 })
      await waitForLock(shop.suite, 'insert into payment_links')
      return { link: request }
    })
    expect(await link).toEqual({})
    const rows = await shop.suite.sql<{ token_hash: Buffer }>(
      'select * from orders.payment_links where draft_id = $1',
      [draft.id],
    )
    expect(rows.map((row) => row.token_hash)).toEqual([next])
    expect((await drafts.open(path)).status).toBe(404)
  })

  test('cannot change a draft that was canceled', async () => {
    const { id } = await drafts.create()
    expect(draftOf(await call('DELETE', `/${id}`))).toMatchObject({ status: 'cancelled' })
    expect(errorOf(await call('PATCH', `/${id}`, { note: 'x' }))).toMatchObject({ status: 409 })
    expect(errorOf(await call('POST', `/${id}/send`, {}))).toMatchObject({ status: 409 })
    expect(errorOf(await call('DELETE', `/${id}`))).toMatchObject({ status: 409 })
    expect(errorOf(await call('GET', '/draft_none'))).toMatchObject({ status: 404 })
  })

  test('needs the permission for orders', async () => {
    const { id } = await drafts.create()
    const reader = shop.suite.headers.admin(['orders:read'])
    const other = shop.suite.headers.admin(['catalog:write'])
    expect((await call('GET', `/${id}`, undefined, reader)).status).toBe(200)
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/send`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : DRAFT
      expect((await call(method, path, body, reader)).status, `${method} ${path}`).toBe(403)
    }
    expect((await call('GET', '', undefined, other)).status).toBe(403)
    expect((await call('GET', '', undefined, {})).status).toBe(401)
  })
})

test('a draft that was not changed for half a year is deleted, with its link', async () => {
  const { draft } = await drafts.sent()
  const kept = await drafts.create()
  await shop.suite.sql(`update orders.draft_orders set updated_at = now() - interval '181 days' where id = $1`, [
    draft.id,
  ])
  await followRule(RETENTION['old draft orders'], shop.orders.context)
  expect((await call('GET', `/${draft.id}`)).status).toBe(404)
  expect(await shop.suite.sql('select * from orders.payment_links where draft_id = $1', [draft.id])).toEqual([])
  expect((await call('GET', `/${kept.id}`)).status).toBe(200)
})

test('an old draft that a merchant changes at this moment is not deleted', async () => {
  const { id } = await drafts.create()
  await shop.suite.sql(`update orders.draft_orders set updated_at = now() - interval '181 days' where id = $1`, [id])
  const { db } = shop.orders.context
  await transaction(db, async (tx) => {
    const before = await lockDraft(tx, id)
    if (!before) throw new Error('there is no draft')
    // It would wait for the end of this transaction without skipping the draft.
    await followRule(RETENTION['old draft orders'], shop.orders.context)
    await saveDraft(tx, id, { content: { ...before, note: 'Call again' }, quote: before.quote, at: new Date() })
  })
  expect(await drafts.read(id)).toMatchObject({ note: 'Call again' })
})

test('the draft orders of a buyer are deleted with the other data, and the order stays', async () => {
  const email = 'erased@mail.example'
  const { draft, path } = await drafts.sent({ email })
  await drafts.pay(path)
  const [order] = await drafts.ordersOf(draft.id)
  const owner = shop.suite.headers.admin(PERMISSIONS)
  const buyers = z.object({ items: z.tuple([z.object({ id: z.string() })]) })
  const found = buyers.parse((await shop.call('GET', `/admin/buyers?q=${email}`, undefined, owner)).body).items[0]
  expect((await shop.call('DELETE', `/admin/buyers/${found.id}`, undefined, owner)).status).toBe(200)
  expect((await call('GET', `/${draft.id}`)).status).toBe(404)
  expect((await drafts.open(path)).status).toBe(404)
  expect((await shop.call('GET', `/admin/orders/${order?.id}`, undefined, owner)).status).toBe(200)
})

import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { createLinkTokens } from '@storefront/service'
import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  AlertMailsRequested,
  BuyerErased,
  CustomerDeleted,
  ReadAlertsOfAddress,
  ReadCatalogPersonalData,
} from '@storefront/contracts'
import { createSuite, lockWaiters, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETENTION } from '../src/retention.ts'
import type { RunningCatalog } from '../src/start.ts'
import { alertsOf } from './alerts.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { publishEvent } from './orders.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const INVALID_TOKEN = [422, 'invalid_token']
/** Of one mailbox. */
const MAX_UNCONFIRMED = 10
/** Far enough in the past that no test moves it beyond the validity of its actors' signatures. */
const clock = manualClock('2025-03-03T12:00:00.000Z')

let suite: Suite
let catalog: RunningCatalog
let notifier: Messaging
let identity: Messaging
let orders: Messaging
let variantId: string

const { post, mailsTo, request, links, confirmed, soldOut } = alertsOf(() => ({ suite, catalog, notifier }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, { STOREFRONT_URL: 'https://shop.example' }, clock)
  notifier = await suite.openMessaging('notifier')
  ;[identity, orders] = await Promise.all([suite.openMessaging('identity'), suite.openMessaging('orders')])
  ;({ variantId } = await soldOut('linen'))
  const others = Array.from({ length: MAX_UNCONFIRMED + 1 }, (_, place) => shirt(`shirt-${place}`))
  await importCatalogue(catalog.app, suite, { products: [...others, shirt('hidden', { published: false })] })
})

afterAll(async () => {
  await Promise.all([notifier, identity, orders].map((each) => each.close()))
  await suite.stop()
})

const restock = (email: string) => ({ kind: 'back-in-stock', product_slug: 'linen', variant_id: variantId, email })
const cheaper = (email: string, slug = 'linen') => ({ kind: 'price-drop', product_slug: slug, email })
const outcome = (response: { statusCode: number; json: () => { code?: string } }) => [
  response.statusCode,
  response.json().code,
]
const alerts = (email: string) =>
  suite.sql<{ id: string; confirmed_at: Date | null }>('select * from catalog.alerts where email = $1', [email])

describe('a request for an alert', () => {
  test('gets the same response for known addresses and others, and one mail requests its confirmation', async () => {
    const spellings = ['ada@mail.example', ' Ada@Mail.example ', 'ADA@MAIL.EXAMPLE']
    const responses = await Promise.all(spellings.map((email) => post('/alerts', restock(email))))
    await waitFor('the requests to be processed', async () => (await mailsTo('ada@mail.example')).length > 0)
    await confirmed(restock('known@mail.example'))
    responses.push(await request(restock('known@mail.example')), await request(restock('ada@mail.example')))
    for (const response of responses) expect([response.statusCode, response.payload]).toEqual([200, '{"ok":true}'])
    const [mail, ...others] = await mailsTo('ada@mail.example')
    expect(others).toEqual([])
    expect(mail).toMatchObject({ kind: 'alertConfirmation', title: 'Shirt linen', options: { Size: 'M' }, price: 4000 })
    expect(await mailsTo('known@mail.example')).toHaveLength(1)
    const [event] = (await suite.eventsOf(AlertMailsRequested)).filter(({ mails }) => mails[0]?.to === mail?.to)
    expect(event?.mails[0]?.unproven).toEqual({ senders: [expect.stringMatching(/^address:/)] })
    expect(JSON.stringify(event)).not.toContain((await links(mail?.alertId ?? '')).confirmToken)
  })

  test.each([
    [{ email: undefined }, [422, 'invalid_email']],
    [{ email: '' }, [422, 'invalid_email']],
    [{ email: 'ada' }, [422, 'invalid_email']],
    [{ email: 'ada@mail.example, eve@mail.example' }, [422, 'invalid_email']],
    [{ email: 'ada@mail.example\r\nBcc: eve@mail.example' }, [422, 'invalid_email']],
    [{ kind: 'free-beer' }, [422, 'validation_failed']],
    [{ product_slug: undefined }, [422, 'validation_failed']],
    [{ variant_id: undefined }, [422, 'validation_failed']],
    [{ product_slug: 'nothing' }, [404, 'not_found']],
    [{ product_slug: 'hidden' }, [404, 'not_found']],
    [{ variant_id: 'var_nothing' }, [404, 'variant_not_found']],
    [{ product_slug: 'shirt-0' }, [404, 'variant_not_found']],
  ])('is rejected with %j', async (change, expected) => {
    expect(outcome(await post('/alerts', { ...restock('bad@mail.example'), ...change }))).toEqual(expected)
    expect(await mailsTo('bad@mail.example')).toEqual([])
  })

  test('sends another mail after an hour, three in all, while it is not confirmed', async () => {
    const email = 'slow@mail.example'
    const sentAfter = async (ms: number) => {
      clock.advance(ms)
      await Promise.all([request(cheaper(email)), request(cheaper(email))])
      return (await mailsTo(email)).length
    }
    expect(await sentAfter(0)).toBe(1)
    expect(await sentAfter(HOUR_MS - 1)).toBe(1)
    expect(await sentAfter(1)).toBe(2)
    expect(await sentAfter(HOUR_MS)).toBe(3)
    expect(await sentAfter(DAY_MS)).toBe(3)
    expect(await alerts(email)).toHaveLength(1)
  })

  test('sends no mail when its mailbox has many that are not confirmed, however the address is spelled', async () => {
    const spelled = Array.from({ length: MAX_UNCONFIRMED + 1 }, (_, place) => `bombed+${place}@mail.example`)
    const responses = await Promise.all(spelled.map((email, place) => request(cheaper(email, `shirt-${place}`))))
    for (const { statusCode } of responses) expect(statusCode).toBe(200)
    const sent = await Promise.all(spelled.map((email) => mailsTo(email)))
    expect(sent.flat()).toHaveLength(MAX_UNCONFIRMED)
  })
})

describe('the link to confirm an alert', () => {
  test('works for several clicks at once and later again, and names the product', async () => {
    await request(restock('sure@mail.example'))
    const [mail] = await mailsTo('sure@mail.example')
    const { confirmToken: token } = await links(mail?.alertId ?? '')
    const confirm = () => post('/alerts/confirm', { token })
    for (const response of [...(await Promise.all(Array.from({ length: 5 }, confirm))), await confirm()]) {
      expect(response.json()).toEqual({
        ok: true,
        kind: 'back-in-stock',
        product: { slug: 'linen', title: 'Shirt linen' },
      })
    }
    expect((await alerts('sure@mail.example'))[0]?.confirmed_at).toEqual(clock.now())
    // The alert is already confirmed, so no mail has a link for that.
    expect(await links(mail?.alertId ?? '')).toEqual({ unsubscribeToken: expect.any(String) })
  })

  test('is invalid after a week, for another alert, for another purpose, and when it is forged', async () => {
    await request(restock('late@mail.example'))
    const [mail] = await mailsTo('late@mail.example')
    const id = mail?.alertId ?? ''
    const { confirmToken = '', unsubscribeToken = '', confirmBefore } = await links(id)
    expect(confirmBefore).toBe(new Date(clock.now().getTime() + 7 * DAY_MS).toISOString())
    const [, secret = ''] = confirmToken.split('.')
    const forged = createLinkTokens(Buffer.alloc(32)).make('alertConfirm', id)
    const others = [undefined, '', id, `${id}.`, `alert_${'0'.repeat(32)}.${secret}`, unsubscribeToken, forged]
    for (const token of [...others, `${confirmToken}\n`, `' or 1=1 --`, 'x'.repeat(100_000)]) {
      expect(outcome(await post('/alerts/confirm', { token }))).toEqual(INVALID_TOKEN)
    }
    clock.advance(7 * DAY_MS)
    expect(outcome(await post('/alerts/confirm', { token: confirmToken }))).toEqual(INVALID_TOKEN)
    expect((await links(id)).confirmToken).toBeUndefined()
  })
})

describe('the link that ends an alert', () => {
  const FORM = 'List-Unsubscribe=One-Click'
  const PARTS = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`

  test.each<[string, (token: string) => ReturnType<typeof post>]>([
    ['the storefront', (token) => post('/alerts/unsubscribe', { token })],
    [
      'a mail program',
      (token) =>
        post(`/alerts/unsubscribe?token=${token}`, FORM, { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    [
      'a mail program that sends parts',
      (token) =>
        post(`/alerts/unsubscribe?token=${token}`, PARTS, { 'content-type': 'multipart/form-data; boundary=x' }),
    ],
    ['a mail program that sends nothing', (token) => post(`/alerts/unsubscribe?token=${token}`)],
  ])('works for %s, any number of times, and no link to confirm works afterwards', async (_who, unsubscribe) => {
    const id = await confirmed(restock('done@mail.example'))
    const { unsubscribeToken = '' } = await links(id)
    for (let time = 0; time < 2; time++) {
      const response = await unsubscribe(unsubscribeToken)
      expect([response.statusCode, response.payload]).toEqual([200, '{"ok":true}'])
      expect(await alerts('done@mail.example')).toEqual([])
    }
    expect(await links(id)).toEqual({})
    expect(outcome(await unsubscribe(`${unsubscribeToken.slice(0, -1)}_`))).toEqual(INVALID_TOKEN)
  })

  test('opened in a browser leads to the page of the storefront, and changes nothing', async () => {
    const id = await confirmed(cheaper('reader@mail.example'))
    const { unsubscribeToken = '' } = await links(id)
    const url = `/alerts/unsubscribe?token=${unsubscribeToken}`
    const response = await catalog.app.inject({ url })
    expect([response.statusCode, response.headers['location']]).toEqual([303, `https://shop.example${url}`])
    expect(await alerts('reader@mail.example')).toHaveLength(1)
  })
})

describe('the alerts of a customer', () => {
  const recordsOf = async (email?: string) => {
    const read = (after: string) =>
      sendRequest(identity, ReadCatalogPersonalData, { customerId: 'cus_ada', after, ...(email && { email }) })
    return (await read('alert:')).records
  }

  test('are in the export of their data, by the verified address only', async () => {
    await confirmed(restock('cus@mail.example'))
    await request(cheaper('cus@mail.example'))
    const createdAt = clock.now().toISOString()
    expect(await recordsOf('cus@mail.example')).toEqual([
      {
        kind: 'alert',
        record: { kind: 'back-in-stock', productSlug: 'linen', variantId, createdAt, confirmedAt: createdAt },
      },
      { kind: 'alert', record: { kind: 'price-drop', productSlug: 'linen', createdAt } },
    ])
    expect(await recordsOf()).toEqual([])
    const first = await sendRequest(identity, ReadCatalogPersonalData, { customerId: 'cus_ada' })
    expect(first.next).toBe('purchase:')
  })

  test('are deleted with the account, and those of others are not', async () => {
    await confirmed(restock('former@mail.example'))
    await confirmed(restock('former+other@mail.example'))
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_former', email: 'former@mail.example' })
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_unverified' })
    await waitFor('the deletion', async () => (await alerts('former@mail.example')).length === 0)
    expect(await alerts('former+other@mail.example')).toHaveLength(1)
  })
})

test('the alerts of a guest are in the export of their data, and are deleted with it', async () => {
  const email = 'guest@mail.example'
  await confirmed(restock(email))
  const createdAt = clock.now().toISOString()
  const record = { kind: 'back-in-stock', productSlug: 'linen', variantId, createdAt, confirmedAt: createdAt }
  expect(await sendRequest(orders, ReadAlertsOfAddress, { email })).toEqual({ alerts: [record] })
  await publishEvent(orders, BuyerErased, { email })
  await waitFor('the deletion', async () => (await alerts(email)).length === 0)
  expect(await sendRequest(orders, ReadAlertsOfAddress, { email })).toEqual({ alerts: [] })
})

test('an alert of a guest whose request is processed during the deletion of their data is deleted', async () => {
  const email = 'processed@mail.example'
  await suite.sql('begin')
  // The lock delays the insert of the alert until after the deletion has begun.
  await suite.sql(`select 1 from catalog.products where slug = 'linen' for update`)
  expect((await post('/alerts', restock(email))).statusCode).toBe(200)
  await waitForLock(suite, 'insert into "alerts"')
  await publishEvent(orders, BuyerErased, { email }, 'evt_processed')
  const isConsumed = async () =>
    (await suite.sql(`select 1 from catalog.inbox where event_id = 'evt_processed'`)).length > 0
  await waitFor(
    'the deletion to be done or to wait',
    async () => (await isConsumed()) || (await lockWaiters(suite, `hashtext('alerts')`)).length > 0,
  )
  await suite.sql('commit')
  await waitFor('the deletion', isConsumed)
  await waitFor('the request', async () => (await suite.sql('select 1 from catalog.alert_requests')).length === 0)
  expect(await alerts(email)).toEqual([])
})

test('alerts that were never confirmed are deleted after eight days, and ended ones after thirty', async () => {
  await confirmed(restock('waits@mail.example'))
  await request(cheaper('never@mail.example'))
  await confirmed(cheaper('ended@mail.example'))
  await suite.sql(`update catalog.alerts set done_at = $1 where email = 'ended@mail.example'`, [clock.now()])
  const left = async () => {
    const { db } = catalog.context
    for (const rule of ['unconfirmed alerts', 'alerts that have ended', 'old alerts'] as const) {
      await followRule(RETENTION[rule], { db, clock })
    }
    const lengths = ['waits', 'never', 'ended'].map(async (name) => (await alerts(`${name}@mail.example`)).length)
    return Promise.all(lengths)
  }
  clock.advance(8 * DAY_MS)
  expect(await left()).toEqual([1, 1, 1])
  clock.advance(1)
  expect(await left()).toEqual([1, 0, 1])
  clock.advance(22 * DAY_MS)
  expect(await left()).toEqual([1, 0, 0])
  clock.advance(335 * DAY_MS)
  expect(await left()).toEqual([0, 0, 0])
})

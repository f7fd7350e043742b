import { replyTo, sendRequest, type Messaging } from '@storefront/messaging'
import { manualClock } from '@storefront/service/testing'
import {
  AlertMailsRequested,
  MAX_ALERT_MAILS,
  newId,
  OrderPlaced,
  OrderRestocked,
  ReleaseInventory,
  ReserveInventory,
  SettleClaims,
} from '@storefront/contracts'
import { actorVerifier, systemClock } from '@storefront/service'
import { createSuite, expectLedgerBalanced, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { alertsOf } from './alerts.ts'
import { FREQUENT_POLLS, importCatalogue, PUBLIC_URL, shirt, startTestCatalog, usd } from './catalog.ts'
import { hold, placedOrder, publishEvent } from './orders.ts'

const clock = manualClock('2025-03-03T12:00:00.000Z')
const EMAIL = 'ada@mail.example'

let suite: Suite
let catalog: RunningCatalog
let notifier: Messaging
let orders: Messaging

const alerts = alertsOf(() => ({ suite, catalog, notifier }))
const { admin, atRest, confirmed, mailsTo, soldOut, stock } = alerts

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, FREQUENT_POLLS, clock)
  ;[notifier, orders] = await Promise.all([suite.openMessaging('notifier'), suite.openMessaging('orders')])
  const verifyActor = actorVerifier(suite.env('orders')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  replyTo({ messaging: orders, verifyActor, log: suite.log }, SettleClaims, ({ claims }) =>
    Promise.resolve({ verdicts: claims.map((claim) => ({ claim, verdict: 'abandoned' as const })) }),
  )
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await Promise.all([notifier.close(), orders.close()])
  await suite.stop()
})

const restock = (slug: string, variantId: string, email = EMAIL) =>
  confirmed({ kind: 'back-in-stock', product_slug: slug, variant_id: variantId, email })
const cheaper = (slug: string, email: string) => confirmed({ kind: 'price-drop', product_slug: slug, email })
const patch = (productId: string, change: object) => admin('PATCH', `/admin/products/${productId}`, change)

/** Waits for the mail about an alert. @returns it, and the number of all of them */
async function mailOf(alertId: string) {
  return waitFor(`the mail of ${alertId}`, async () => {
    await atRest()
    const found = (await alerts.mails()).filter((mail) => mail.alertId === alertId && mail.kind !== 'alertConfirmation')
    return found.length > 0 && { mail: found[0], count: found.length }
  })
}

interface Waiting {
  slug: string
  productId: string
  variantId: string
}

/** Sells the only unit of a product. @returns its reservation */
async function sellLast({ variantId }: Waiting) {
  await stock(variantId, 1)
  return hold(orders, variantId, 1)
}

/** Each way to make a sold-out variant available again, which is prepared before the alert is created. */
const PATHS: Record<string, (waiting: Waiting) => Promise<() => Promise<unknown>>> = {
  'a set quantity':
    async ({ variantId }) =>
    () =>
      stock(variantId, 3),
  'an adjusted quantity':
    async ({ variantId }) =>
    () =>
      admin('POST', `/admin/variants/${variantId}/inventory`, { delta: 2 }),
  'the goods of a canceled order': async (waiting) => {
    const reservation = await sellLast(waiting)
    await publishEvent(orders, OrderPlaced, placedOrder({ reservation, at: clock.now() }))
    const lines = [{ variantId: waiting.variantId, quantity: 1 }]
    const restocked = { orderId: newId('order'), claim: reservation.claim, placedAt: clock.now().toISOString(), lines }
    return () => publishEvent(orders, OrderRestocked, restocked)
  },
  'an abandoned checkout': async (waiting) => {
    const { claim } = await sellLast(waiting)
    return () => sendRequest(orders, ReleaseInventory, { claim })
  },
  'an expired reservation': async ({ variantId }) => {
    await stock(variantId, 1)
    const lines = [{ variantId, quantity: 1 }]
    await sendRequest(orders, ReserveInventory, { reservationId: newId('reservation'), lines, ttlSeconds: 60 })
    return async () => clock.advance(61_000)
  },
  'an import':
    async ({ slug, productId }) =>
    () =>
      importCatalogue(catalog.app, suite, { products: [shirt(slug, { id: productId, sizes: ['M'], inventory: 5 })] }),
  'a publication': async ({ slug, productId, variantId }) => {
    return async () => {
      await patch(productId, { published: false })
      await stock(variantId, 2)
      await atRest()
      expect(await mailsTo(`${slug}@mail.example`, 'backInStock')).toEqual([])
      await patch(productId, { published: true })
    }
  },
}

describe.concurrent('a shopper who waits for a sold-out variant', () => {
  test.each(Object.keys(PATHS).map((path, place) => ({ path, slug: `path-${place}` })))(
    'gets one mail after $path',
    async ({ path, slug }) => {
      const ids = await soldOut(slug)
      const makeBuyable = await PATHS[path]?.({ slug, ...ids })
      const email = `${slug}@mail.example`
      const alertId = await restock(slug, ids.variantId, email)
      await atRest()
      await makeBuyable?.()
      const { mail } = await mailOf(alertId)
      expect(mail).toMatchObject({ kind: 'backInStock', to: email, title: `Shirt ${slug}`, options: { Size: 'M' } })
      expect(mail?.image).toMatch(`${PUBLIC_URL}/`)
      await atRest()
      expect((await mailOf(alertId)).count).toBe(1)
    },
  )
})

describe('a shopper who waits for a variant', () => {
  test('gets one mail while the stock goes up and down, and none about other variants and products', async () => {
    const { variantId } = await soldOut('flapping')
    const other = await soldOut('other')
    const alertId = await restock('flapping', variantId)
    const otherId = await restock('other', other.variantId)
    for (const quantity of [1, 0, 1, 0, 2, 0, 1]) await stock(variantId, quantity)
    await mailOf(alertId)
    for (const quantity of [0, 1]) {
      await stock(variantId, quantity)
      await atRest()
    }
    expect((await mailOf(alertId)).count).toBe(1)
    expect((await alerts.mails()).filter((mail) => mail.alertId === otherId)).toHaveLength(1)
  })

  test('gets the mail only after the confirmation, and at once when the stock came back before', async () => {
    const { variantId } = await soldOut('early')
    const email = 'early@mail.example'
    await alerts.request({ kind: 'back-in-stock', product_slug: 'early', variant_id: variantId, email })
    await stock(variantId, 1)
    await atRest()
    expect(await mailsTo(email, 'backInStock')).toEqual([])
    const [{ alertId } = { alertId: '' }] = await mailsTo(email)
    const { confirmToken: token } = await alerts.links(alertId)
    await Promise.all(Array.from({ length: 3 }, () => alerts.post('/alerts/confirm', { token })))
    expect((await mailOf(alertId)).count).toBe(1)
    await atRest()
    expect(await mailsTo(email, 'backInStock')).toHaveLength(1)
    const ended = await alerts.post('/alerts/confirm', { token })
    expect([ended.statusCode, ended.json().code]).toEqual([422, 'invalid_token'])
  })

  test('can wait again after the mail, with another confirmation', async () => {
    const { variantId } = await soldOut('again')
    const first = await restock('again', variantId, 'again@mail.example')
    await stock(variantId, 1)
    await mailOf(first)
    await stock(variantId, 0)
    const second = await restock('again', variantId, 'again@mail.example')
    expect(second).not.toBe(first)
    await atRest()
    await stock(variantId, 1)
    expect((await mailOf(second)).count).toBe(1)
    expect(await mailsTo('again@mail.example', 'backInStock')).toHaveLength(2)
  })
})

describe('a shopper who waits for a lower price', () => {
  const prices = async (email: string) =>
    (await mailsTo(email, 'priceDrop')).map(({ formerPrice, price }) => [formerPrice, price])

  test('gets one mail for each price below the last one, by a change or an import', async () => {
    const email = 'price@mail.example'
    const { productId } = await soldOut('priced')
    const alertId = await cheaper('priced', email)
    const untilSent = async (count: number) => {
      await atRest()
      expect(await prices(email)).toHaveLength(count)
    }
    await patch(productId, { price: usd(4500) })
    await patch(productId, { price: usd(3500) })
    await untilSent(1)
    await patch(productId, { price: usd(4000) })
    await patch(productId, { price: usd(3500) })
    await patch(productId, { title: 'Renamed' })
    await atRest()
    await importCatalogue(catalog.app, suite, { products: [shirt('priced', { id: productId, price: usd(3000) })] })
    await untilSent(2)
    await patch(productId, { published: false, price: usd(2000) })
    await atRest()
    expect(await prices(email)).toEqual([
      [4000, 3500],
      [3500, 3000],
    ])
    await patch(productId, { published: true })
    await untilSent(3)
    expect((await prices(email)).at(-1)).toEqual([3000, 2000])
    const { unsubscribeToken: token } = await alerts.links(alertId)
    await alerts.post('/alerts/unsubscribe', { token })
    await patch(productId, { price: usd(1000) })
    await atRest()
    expect(await prices(email)).toHaveLength(3)
  })
})

test('an alert that is confirmed before a lower price has committed gets its mail, and delays no other', async () => {
  const { productId } = await soldOut('uncommitted')
  const other = await soldOut('beside')
  const [email, otherEmail] = ['uncommitted@mail.example', 'beside@mail.example']
  await restock('beside', other.variantId, otherEmail)
  await alerts.request({ kind: 'price-drop', product_slug: 'uncommitted', email })
  const [{ alertId } = { alertId: '' }] = await mailsTo(email)
  const { confirmToken: token } = await alerts.links(alertId)
  await atRest()
  await suite.sql('begin')
  // Like an import that has already looked for confirmed alerts.
  await suite.sql('select 1 from catalog.products where id = $1 for update', [productId])
  await suite.sql('update catalog.products set price_minor = 3000 where id = $1', [productId])
  expect((await alerts.post('/alerts/confirm', { token })).statusCode).toBe(200)
  await stock(other.variantId, 1)
  await waitFor('the mail of a later check', async () => (await mailsTo(otherEmail, 'backInStock')).length > 0)
  await suite.sql('commit')
  const { mail, count } = await mailOf(alertId)
  expect([mail?.kind, mail?.formerPrice, mail?.price, count]).toEqual(['priceDrop', 4000, 3000, 1])
})

describe('many alerts for one variant', () => {
  const MANY = 1050

  test('are sent once each, in bounded events, by two replicas that share them', async () => {
    const { productId, variantId } = await soldOut('popular')
    await suite.sql(
      `insert into catalog.alerts (id, kind, product_id, variant_id, email, mailbox, created_at, confirmation_sent_at, confirmed_at)
       select 'alert_' || lpad(n::text, 32, '0'), 'back-in-stock', $1, $2, n || '@many.example', n || '@many.example', $3, $3, $3
       from generate_series(1, ${MANY}) n`,
      [productId, variantId, clock.now()],
    )
    const replica = await startTestCatalog(suite, FREQUENT_POLLS, clock)
    try {
      await stock(variantId, 1)
      await suite.sql(`insert into catalog.alert_checks (product_id) select $1 from generate_series(1, 5)`, [productId])
      const events = await waitFor('all mails', async () => {
        const found = (await suite.eventsOf(AlertMailsRequested)).filter(({ product }) => product.slug === 'popular')
        return found.reduce((sum, { mails }) => sum + mails.length, 0) >= MANY && found
      })
      await atRest()
      expect(new Set(events.flatMap(({ mails }) => mails.map(({ to }) => to))).size).toBe(MANY)
      expect(events.flatMap(({ mails }) => mails)).toHaveLength(MANY)
      expect(Math.max(...events.map(({ mails }) => mails.length))).toBeLessThanOrEqual(MAX_ALERT_MAILS)
    } finally {
      await replica.stop()
    }
  })
})

test('an alert stays due when its mail cannot be requested, and the mail is requested once afterwards', async () => {
  const { variantId } = await soldOut('crash')
  const alertId = await restock('crash', variantId)
  await atRest()
  // A sequence also counts tries that are rolled back.
  await suite.sql(`create sequence catalog.tries; grant usage on sequence catalog.tries to public;
    alter table catalog.outbox add constraint no_alerts
      check (name <> 'alert-mails.requested' or nextval('catalog.tries') < 0) not valid`)
  await stock(variantId, 1)
  await waitFor('two attempts', async () => {
    const [row] = await suite.sql<{ tries: number }>('select last_value::integer as tries from catalog.tries')
    return (row?.tries ?? 0) > 1
  })
  // The transaction that marks the alert is rolled back with its event, as in a crash.
  expect(await suite.sql('select 1 from catalog.alerts where id = $1 and done_at is null', [alertId])).toHaveLength(1)
  await suite.sql('alter table catalog.outbox drop constraint no_alerts')
  expect((await mailOf(alertId)).count).toBe(1)
  await atRest()
  expect((await mailOf(alertId)).count).toBe(1)
})

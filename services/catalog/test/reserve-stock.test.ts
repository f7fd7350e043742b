import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replyTo, sendRequest, type Messaging } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { DependencyUnavailable } from '@storefront/service'
import { metricValue } from '@storefront/service/testing'
import {
  InventoryUpdated,
  ReleaseInventory,
  requestSubject,
  ReserveInventory,
  SettleClaims,
} from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, type Suite, waitFor } from '@storefront/tools/testing'
import type { CatalogTables } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { deleteOldRemovals } from '../src/saves/saves.queries.ts'
import { sellHolds } from '../src/stock/end-reservations.ts'
import { releaseExpiredOnce } from '../src/stock/release-expired.ts'
import { openReservationBatches } from '../src/stock/reservation-batches.ts'
import { deleteOldReservations } from '../src/stock/reservations.queries.ts'
import { fill, importCatalogue, shirt, startTestCatalog } from './catalog.ts'

const UNDECIDED = 'storefront_reservation_requests_undecided'
const REQUESTS = 'storefront_reservation_requests_total'
/** At least one for each test. */
const PRODUCTS = 20

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let product = 0
let variantId: string
let slug: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
  // One import for all tests, because one takes longer than most of them.
  const products = Array.from({ length: PRODUCTS }, (_, index) =>
    shirt(`shirt-${index}`, { sizes: ['M'], inventory: 7 }),
  )
  await fill(catalog.app, suite, { products })
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

beforeEach(async () => {
  slug = `shirt-${product++}`
  const [row] = await suite.sql<{ id: string }>(
    'select v.id from catalog.variants v join catalog.products p on p.id = v.product_id where p.slug = $1',
    [slug],
  )
  expect(row, `${slug} of ${PRODUCTS}`).toBeDefined()
  variantId = row?.id ?? ''
})

const reserve = (reservationId: string, quantity: number, ttlSeconds = 600) =>
  sendRequest(orders, ReserveInventory, { reservationId, lines: [{ variantId, quantity }], ttlSeconds })

const stock = async () => {
  const [row] = await suite.sql<{ on_hand: number; reserved: number; on_hand_sum: string; reserved_sum: string }>(
    `select on_hand, reserved,
      (select sum(on_hand_delta) from catalog.stock_movements m where m.variant_id = s.variant_id) as on_hand_sum,
      (select sum(reserved_delta) from catalog.stock_movements m where m.variant_id = s.variant_id) as reserved_sum
     from catalog.stock s where variant_id = $1`,
    [variantId],
  )
  // The ledger adds up to the stock in every case.
  expect(Number(row?.on_hand_sum)).toBe(row?.on_hand)
  expect(Number(row?.reserved_sum)).toBe(row?.reserved)
  return { onHand: row?.on_hand, reserved: row?.reserved }
}

describe('a reservation for a checkout that waits for its payment', () => {
  const unpaid = { perBuyer: { percent: 50, leastUnits: 10 }, all: { percent: 80, leastUnits: 50 } }
  const reserveUnpaid = (reservationId: string, quantity: number) =>
    sendRequest(orders, ReserveInventory, { reservationId, lines: [{ variantId, quantity }], ttlSeconds: 600, unpaid })
  const setStock = async (units: number) => {
    const body = { quantity: units }
    const result = await catalog.app.inject({
      method: 'PATCH',
      url: `/admin/variants/${variantId}/inventory`,
      headers: { ...suite.headers.admin(), 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    expect(result.statusCode).toBe(200)
  }

  test('holds at most the share of one buyer, and reports how many that are', async () => {
    await setStock(100)
    expect(await reserveUnpaid(`${slug}-much`, 51)).toEqual({
      held: false,
      shortfalls: [{ variantId, wanted: 51, available: 50, limit: 'buyer' }],
    })
    expect(await reserveUnpaid(`${slug}-half`, 50)).toMatchObject({ held: true, perBuyer: [{ variantId, units: 50 }] })
    // A repeated request gets the same hold, even if it would no longer be granted.
    await reserveUnpaid(`${slug}-rest`, 30)
    expect(await reserveUnpaid(`${slug}-half`, 50)).toMatchObject({ held: true, perBuyer: [{ variantId, units: 50 }] })
    expect(await stock()).toEqual({ onHand: 100, reserved: 80 })
  })

  test('leaves a share of the stock to those who pay at once, to the last unit in one batch', async () => {
    await setStock(100)
    const responses = await Promise.all(Array.from({ length: 120 }, (_, index) => reserveUnpaid(`${slug}-${index}`, 1)))
    expect(responses.filter(({ held }) => held)).toHaveLength(80)
    expect(responses.find(({ held }) => !held)).toEqual({
      held: false,
      shortfalls: [{ variantId, wanted: 1, available: 0, limit: 'all' }],
    })
    expect((await reserve(`${slug}-paid`, 20)).held).toBe(true)
    expect(await stock()).toEqual({ onHand: 100, reserved: 100 })
  })

  test('gets all of a small stock', async () => {
    await setStock(20)
    const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => reserveUnpaid(`${slug}-${index}`, 1)))
    expect(responses.filter(({ held }) => held)).toHaveLength(20)
    expect(responses.find(({ held }) => !held)).toEqual({
      held: false,
      shortfalls: [{ variantId, wanted: 1, available: 0 }],
    })
  })
})

describe('a reservation', () => {
  test('is granted to as many as there are units, and rejected with the available quantity for the others', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => reserve(`${slug}-${index}`, 1)))
    expect(responses.filter((each) => each.held)).toHaveLength(7)
    for (const rejected of responses.filter((each) => !each.held)) {
      expect(rejected).toEqual({ held: false, shortfalls: [{ variantId, wanted: 1, available: 0 }] })
    }
    expect(await stock()).toEqual({ onHand: 7, reserved: 7 })
  })

  test('returns the same reply for the same id, and holds the goods once', async () => {
    const responses = await Promise.all([reserve(`${slug}-a`, 5), reserve(`${slug}-a`, 5), reserve(`${slug}-a`, 5)])
    expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await stock()).toEqual({ onHand: 7, reserved: 5 })
  })

  test('that is repeated with a later deadline is held until then, and never ends earlier', async () => {
    const expiryOf = (reply: Awaited<ReturnType<typeof reserve>>) => (reply.held ? Date.parse(reply.expiresAt) : NaN)
    const stored = async () => {
      const [row] = await suite.sql<{ expires_at: Date }>('select expires_at from catalog.reservations where id = $1', [
        `${slug}-late`,
      ])
      return row?.expires_at.getTime()
    }
    const first = await reserve(`${slug}-late`, 2, 60)
    const longer = await reserve(`${slug}-late`, 2, 600)
    expect(longer).toEqual({ ...first, expiresAt: expect.any(String) })
    expect(expiryOf(longer) - expiryOf(first)).toBeGreaterThanOrEqual(539_000)
    expect(await stored()).toBe(expiryOf(longer))
    expect(await reserve(`${slug}-late`, 2, 60)).toEqual(longer)
    const both = await Promise.all([reserve(`${slug}-late`, 2, 900), reserve(`${slug}-late`, 2, 1200)])
    expect(await stored()).toBe(Math.max(...both.map(expiryOf)))
    expect(await stock()).toEqual({ onHand: 7, reserved: 2 })
  })

  test('can be released and made again, under a new claim', async () => {
    const first = await reserve(`${slug}-b`, 7)
    const claim = first.held ? first.claim : ''
    expect(await sendRequest(orders, ReleaseInventory, { claim })).toEqual({ released: true })
    expect(await sendRequest(orders, ReleaseInventory, { claim })).toEqual({ released: false })
    const second = await reserve(`${slug}-b`, 7)
    expect(second).toMatchObject({ held: true })
    expect(second.held && second.claim).not.toBe(claim)
    // A late release of the first hold does not affect the second.
    expect(await sendRequest(orders, ReleaseInventory, { claim })).toEqual({ released: false })
    expect(await stock()).toEqual({ onHand: 7, reserved: 7 })
  })

  test('cannot be sold when it was released or never made: an order on it has no goods', async () => {
    const sell = (claim: string) => transaction(catalog.context.db, (tx) => sellHolds(tx, [claim], new Date()))
    await expect(sell(`${slug}-never.1`)).rejects.toThrow(`a reservation that is unknown: ${slug}-never.1`)
    const released = await reserve(`${slug}-c`, 2)
    const claim = released.held ? released.claim : ''
    await sendRequest(orders, ReleaseInventory, { claim })
    await expect(sell(claim)).rejects.toThrow(`a reservation that is released: ${claim}`)
    const held = await reserve(`${slug}-c`, 3)
    const heldClaim = held.held ? held.claim : ''
    await sell(heldClaim)
    // An event that is delivered twice sells once.
    await sell(heldClaim)
    expect(await stock()).toEqual({ onHand: 4, reserved: 0 })
  })

  test('is for all lines or none, and accepts only variants that are for sale', async () => {
    const reply = await sendRequest(orders, ReserveInventory, {
      reservationId: `${slug}-c`,
      lines: [
        { variantId, quantity: 1 },
        { variantId: 'var_nothing', quantity: 1 },
      ],
      ttlSeconds: 600,
    })
    expect(reply).toEqual({ held: false, shortfalls: [{ variantId: 'var_nothing', wanted: 1, available: 0 }] })
    expect(await stock()).toEqual({ onHand: 7, reserved: 0 })
  })

  test('shows on the product page and is published as an event', async () => {
    await reserve(`${slug}-d`, 3)
    await waitFor('the product page', async () => {
      const page = await catalog.app.inject({ url: `/products/${slug}` })
      return page.json().variants[0].inventory === 4
    })
    const published = await waitFor('the event', async () =>
      (await suite.eventsOf(InventoryUpdated)).findLast((event) => event.slug === slug && event.inventory === 4),
    )
    expect(published).toMatchObject({ slug, inventory: 4 })
  })

  test('changes the price projection to what the table has, also for several in one transaction', async () => {
    const written: unknown[] = []
    const projection = {
      ...catalog.context.projection,
      writeStock: async (changes: readonly unknown[]) => {
        written.push(...changes)
        return changes.length
      },
    }
    const batches = openReservationBatches({ ...catalog.context, projection })
    const deadlineMs = performance.now() + 60_000
    const expiresAt = new Date(Date.now() + 600_000)
    const reserveTwice = (id: string, quantity: number) => {
      const lines = [quantity, 1].map((units) => ({ variantId, quantity: units }))
      return batches.reserve({ reservationId: `${slug}-${id}`, lines, expiresAt }, deadlineMs)
    }
    const replies = await Promise.all([reserveTwice('g', 1), reserveTwice('h', 2), reserveTwice('i', 2)])
    await batches.stop()
    expect(replies.map(({ held }) => held)).toEqual([true, true, false])
    const [row] = await suite.sql<{ version: number }>('select version::int from catalog.stock where variant_id = $1', [
      variantId,
    ])
    expect(written).toEqual([{ variantId, inventory: 2, version: row?.version }])
    expect(await stock()).toEqual({ onHand: 7, reserved: 5 })
  })

  test('of other goods does not wait while another transaction has one of them locked', async () => {
    const other = `${slug}-other`
    await importCatalogue(catalog.app, suite, { products: [shirt(other, { sizes: ['M'], inventory: 7 })] })
    const [free] = await suite.sql<{ id: string }>('select id from catalog.variants where sku = $1', [
      `${other}-M`.toUpperCase(),
    ])
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.stock where variant_id = $1 for update', [variantId])
    const locked = [1, 2].map((nth) => reserve(`${slug}-locked-${nth}`, 4))
    const lines = [{ variantId: free?.id ?? '', quantity: 1 }]
    const replies = await Promise.all(
      [1, 2].map(async (nth) =>
        sendRequest(orders, ReserveInventory, { reservationId: `${other}-${nth}`, lines, ttlSeconds: 600 }),
      ),
    )
    expect(replies).toMatchObject([{ held: true }, { held: true }])
    // The transaction still has its lock.
    await suite.sql('commit')
    expect(await Promise.all(locked)).toMatchObject([
      { held: true },
      { held: false, shortfalls: [{ variantId, wanted: 4, available: 3 }] },
    ])
    expect(await stock()).toEqual({ onHand: 7, reserved: 4 })
  })

  test('is not made for a caller that no longer waits when its turn comes', async () => {
    const request = (id: string) => ({
      reservationId: `${slug}-${id}`,
      lines: [{ variantId, quantity: 1 }],
      ttlSeconds: 600,
    })
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.stock where variant_id = $1 for update', [variantId])
    const waiting = reserve(`${slug}-waiting`, 1)
    await waitFor('the first request', async () => (await metricValue(UNDECIDED)) === 1)
    const late = await metricValue(REQUESTS, { outcome: 'late' })
    const brief = sendRequest(orders, ReserveInventory, request('brief'), { timeoutMs: 20 })
    await expect(brief).rejects.toThrow(DependencyUnavailable)
    await waitFor('its turn', async () => (await metricValue(REQUESTS, { outcome: 'late' })) > late)
    await suite.sql('commit')
    expect(await waiting).toMatchObject({ held: true })
    expect(await reserve(`${slug}-next`, 1)).toMatchObject({ held: true })
    expect(await stock()).toEqual({ onHand: 7, reserved: 2 })
    // A request of the previous version, without the header, is waited for as long as that version waits.
    const subject = requestSubject(suite.namespace, ReserveInventory)
    const old = await orders.connection().request(subject, JSON.stringify(request('old')), { timeout: 10_000 })
    expect(old.json()).toMatchObject({ ok: true, answer: { held: true } })
  })

  test('is rejected at once when 5,000 others are not decided yet, although those that are tried again do not wait in the queue', async () => {
    const db = createDatabase<CatalogTables>({
      url: suite.databaseUrl('catalog'),
      name: 'test',
      poolSize: 1,
      log: suite.log,
    })
    let triedBatches = 0
    const clock = { now: () => (triedBatches++, new Date()) }
    const batches = openReservationBatches({ db, clock, projection: catalog.context.projection })
    const request = (id: string) => ({
      reservationId: id,
      lines: [{ variantId, quantity: 1 }],
      expiresAt: new Date(Date.now() + 600_000),
    })
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.stock where variant_id = $1 for update', [variantId])
    const giveUpAtMs = performance.now() + 60_000
    const undecided = Array.from({ length: 5000 }, (_, nth) => batches.reserve(request(`${slug}-${nth}`), giveUpAtMs))
    await waitFor('many of them to be tried again', () => triedBatches > 5000 / 256)
    const extra = batches.reserve(request(`${slug}-extra`), giveUpAtMs)
    await expect(extra).rejects.toMatchObject({ code: 'service_unavailable' })
    await suite.sql('commit')
    expect((await Promise.all(undecided)).filter(({ held }) => held)).toHaveLength(7)
    await batches.stop()
    await db.destroy()
    expect(await stock()).toEqual({ onHand: 7, reserved: 7 })
  })

  test('stays held past its deadline until orders replies, and then follows the reply', async () => {
    await reserve(`${slug}-e`, 2, 60)
    const kept = await reserve(`${slug}-f`, 1, 60)
    const ordered = kept.held ? kept.claim : ''
    const clock = { now: () => new Date(Date.now() + 61_000) }
    const release = () => releaseExpiredOnce({ ...catalog.context, clock })
    await release()
    expect(await stock()).toEqual({ onHand: 7, reserved: 3 })
    replyTo({ messaging: orders, log: suite.log, verifyActor: () => undefined }, SettleClaims, async ({ claims }) => ({
      verdicts: claims.map((claim) => ({ claim, verdict: claim === ordered ? 'ordered' : 'abandoned' })),
    }))
    await waitFor('the release', async () => {
      await release()
      return (await stock()).reserved === 0
    })
    expect(await stock()).toEqual({ onHand: 6, reserved: 0 })
  })
})

test.each([
  ['reservations', deleteOldReservations, `catalog.reservations select 'old_' || n, 1, 'released', '[]', '2020-01-01'`],
  ['removals from wishlists', deleteOldRemovals, `catalog.product_saves select n, 'prod_1', true, '2020-01-01'`],
])('old %s are deleted some at a time', async (_what, deleteOld, rows) => {
  await suite.sql(`insert into ${rows} from generate_series(1, 3) as n`)
  const deleteSome = () => deleteOld(catalog.context.db, new Date('2020-02-01'), 2)
  expect([await deleteSome(), await deleteSome()]).toEqual([2, 1])
})

import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckLedger, CheckReservations, OrderPlaced, ReleaseInventory } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { findPageEnd, findStockFaults, startOfLedger, type LedgerPosition } from '../src/stock/ledger.queries.ts'
import { hold, placedOrder, publishEvent } from './orders.ts'
import { addMovements, rowsRead } from './movements.ts'
import { openWriter } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let variantIds: string[]
let db: Database

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  db = openWriter(suite)
  orders = await suite.openMessaging('orders')
  const sizes = Array.from({ length: 60 }, (_, nth) => `${nth}`)
  await importCatalogue(catalog.app, suite, { products: [shirt('shirt', { sizes, inventory: 10 })] })
  variantIds = (await suite.sql<{ id: string }>('select id from catalog.variants order by id')).map(({ id }) => id)
})

afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

const check = () => sendRequest(orders, CheckLedger, {})
const variant = (nth: number) => variantIds[nth] ?? ''

test('the reservations that exist are returned with their status', async () => {
  const [held, sold, released] = [
    await hold(orders, variant(0), 1),
    await hold(orders, variant(0), 2),
    await hold(orders, variant(1), 1),
  ]
  await publishEvent(orders, OrderPlaced, placedOrder({ reservation: sold }))
  await sendRequest(orders, ReleaseInventory, { claim: released.claim })
  const claims = [held, sold, released].map(({ claim }) => claim)
  const statuses = async () => {
    const { reservations } = await sendRequest(orders, CheckReservations, {
      claims: [...claims, `${held.id}.2`, 'nothing'],
    })
    return Object.fromEntries(reservations.map(({ claim, status }) => [claim, status]))
  }
  await waitFor('the sale', async () => (await statuses())[sold.claim] === 'sold')
  expect(await statuses()).toEqual({ [held.claim]: 'held', [sold.claim]: 'sold', [released.claim]: 'released' })
  const { reservations } = await sendRequest(orders, CheckReservations, { claims: [held.claim] })
  const leftMs = Date.parse(reservations[0]?.expiresAt ?? '') - Date.now()
  expect(leftMs).toBeGreaterThan(3500 * 1000)
})

describe('the ledger check', () => {
  test('has no findings while goods are held, sold and released', async () => {
    expect(await check()).toEqual({ faults: [], total: 0 })
  })

  test('reports which variant does not add up, and how', async () => {
    await suite.sql('update catalog.stock set on_hand = 12 where variant_id = $1', [variant(2)])
    await suite.sql('update catalog.stock set reserved = 3 where variant_id = $1', [variant(3)])
    await suite.sql(
      `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
       values ('var_gone', 4, 0, 'set', now())`,
    )
    const { faults, total } = await check()
    expect(total).toBe(4)
    const messagesOf = (subject: string) =>
      faults.filter((each) => each.subject === subject).map(({ message }) => message)
    expect(messagesOf(variant(2))).toEqual([`Variant ${variant(2)}: 12 on hand, but the movements add up to 10.`])
    expect(messagesOf(variant(3))).toEqual([
      `Variant ${variant(3)}: 3 reserved, but the movements add up to 0.`,
      `Variant ${variant(3)}: 3 reserved, but the reservations hold 0.`,
    ])
    expect(messagesOf('var_gone')).toEqual([
      'Variant var_gone: there is no stock row, but movements of 4 on hand and 0 reserved, and 0 held.',
    ])
    await suite.sql(`delete from catalog.stock_movements where variant_id = 'var_gone'`)
    await suite.sql('update catalog.stock set on_hand = 10, reserved = 0 where variant_id = any($1)', [
      [variant(2), variant(3)],
    ])
  })

  test('reports which hold should have ended more than five minutes ago', async () => {
    const [late, justLate] = [await hold(orders, variant(4), 1), await hold(orders, variant(4), 1)]
    const setDeadline = (id: string, minutesAgo: number) =>
      suite.sql(`update catalog.reservations set expires_at = now() - $2 * interval '1 minute' where id = $1`, [
        id,
        minutesAgo,
      ])
    // Orders does not reply here, so they stay held.
    await setDeadline(late.id, 6)
    await setDeadline(justLate.id, 4)
    const { faults, total } = await check()
    expect([total, faults.map(({ subject }) => subject)]).toEqual([1, [late.claim]])
    expect(faults[0]?.message).toMatch(/^Reservation .* should have ended at .*Z and still holds goods\.$/)
    await setDeadline(late.id, -60)
    await setDeadline(justLate.id, -60)
  })

  test('names a hundred findings and counts all of them', async () => {
    await suite.sql(
      'update catalog.stock set on_hand = on_hand + 1, reserved = reserved + 1 where variant_id = any($1)',
      [variantIds.slice(5, 45)],
    )
    const { faults, total } = await check()
    expect([faults.length, total]).toEqual([100, 120])
    const many = await Promise.all(Array.from({ length: 20 }, check))
    for (const each of many) expect(each.total).toBe(120)
  })

  test.each([
    { variants: 7, movements: 1000 },
    { variants: 1000, movements: 1 },
    { variants: 3, movements: 2 },
    { variants: 1000, movements: 1000 },
  ])(
    'is read in pages of $variants variants or $movements movements, which leave nothing out and count nothing twice',
    async (size) => {
      await suite.sql(
        `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
       values ('var_0', 1, 0, 'set', now()), ('zzz', 1, 0, 'set', now()), ('zzz', 2, 0, 'set', now())`,
      )
      const found: { variantId: string; movedOnHand: number }[] = []
      for (let position: LedgerPosition | undefined = startOfLedger(); position !== undefined;) {
        const end: LedgerPosition | undefined = await findPageEnd(db, position, size)
        const page = await findStockFaults(db, { from: position, until: end?.variantId }, 100)
        found.push(...page.faults)
        position = end
      }
      expect(found.map(({ variantId }) => variantId)).toEqual(['var_0', ...variantIds.slice(5, 45), 'zzz'])
      expect(found.map(({ movedOnHand }) => movedOnHand)).toEqual([1, ...Array.from({ length: 40 }, () => 10), 3])
      await suite.sql(`delete from catalog.stock_movements where variant_id in ('var_0', 'zzz')`)
    },
  )

  test('reads a part of the movements at once, of a variant that has many', async () => {
    await addMovements(suite, variant(50), 10_000)
    let position = startOfLedger()
    let isInside = false
    do {
      const from = position
      const [end, read] = await rowsRead(db, (tx) => findPageEnd(tx, from, { variants: 5000, movements: 1000 }))
      const [, compared] = await rowsRead(db, (tx) => findStockFaults(tx, { from, until: end?.variantId }, 100))
      // The end of the page is found in the index, and its movements are added up then.
      expect(read).toBeLessThanOrEqual(2001)
      expect(compared).toBeLessThanOrEqual(1000)
      isInside ||= end?.variantId === from.variantId
      position = end ?? startOfLedger()
    } while (position.variantId !== '')
    expect(isInside).toBe(true)
    expect(await check()).toMatchObject({ total: 120 })
  })
})

import { expect } from 'vitest'
import { Reconciliation } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import type { TestShop } from './shop.ts'

interface Stock {
  onHand: number
  reserved: number
}

/** The stock of a variant. */
export async function stockOf({ sql }: TestShop, variantId: string): Promise<Stock> {
  const [row] = await sql<Stock>('select on_hand as "onHand", reserved from catalog.stock where variant_id = $1', [
    variantId,
  ])
  if (!row) throw new Error(`there is no stock of ${variantId}`)
  return row
}

/** The units of a variant in orders whose goods were not returned, without those that partial refunds returned. */
export async function unitsOrdered({ sql }: TestShop, variantId: string): Promise<number> {
  const [row] = await sql<{ units: number }>(
    `select coalesce(sum((line->>'quantity')::int - coalesce(returned.units, 0)), 0)::int as units
     from orders.orders cross join jsonb_array_elements(document->'lines') as line
       left join lateral (
         select sum((refunded->>'restocked')::int) as units
         from orders.refunds r cross join jsonb_array_elements(r.lines) as refunded
         where r.order_id = orders.id and refunded->>'lineId' = line->>'id') returned on true
     where line->>'variantId' = $1 and claim is not null and restocked_at is null`,
    [variantId],
  )
  return row?.units ?? 0
}

/** Checks that the figures of all days, with those that are not counted yet, are what the orders say. */
async function expectFiguresOfSales({ sql }: TestShop): Promise<void> {
  const counted = await sql(`
    select sum(revenue_minor)::bigint as revenue, sum(refunded_minor)::bigint as refunded,
      coalesce(sum(orders), 0)::bigint as orders
    from (
      select revenue_minor, refunded_minor, orders from orders.sales_days
      union all
      select revenue_minor, refunded_minor, (order_id is not null)::int from orders.sales_changes) figures`)
  const expected = await sql(`
    select sum(captured_minor)::bigint as revenue, sum(refunded_minor)::bigint as refunded,
      count(*) filter (where payment_status in ('captured', 'partially_refunded', 'refunded')) as orders
    from orders.orders`)
  expect(counted, 'the sales figures, and what they should be').toEqual(expected)
}

/**
 * Checks that the counts of lists, with the changes that are not added yet, are those of the orders, by day and in
 * total.
 */
async function expectCountsOfOrders({ sql }: TestShop): Promise<void> {
  const kind = 'country, status, payment_status, attention'
  const sums = (table: string, group: string) => `
    select ${group}, sum(orders)::int as orders from (
      select ${group}, orders from orders.${table} union all select ${group}, orders from orders.order_count_changes) counted
    group by ${group} having sum(orders) <> 0 order by ${group}`
  const orders = (group: string) => `
    select ${group}, count(*)::int as orders from (
      select orders.utc_day(placed_at) as day, country, status, payment_status, coalesce(attention, '') as attention
      from orders.orders) each group by ${group} order by ${group}`
  for (const [table, group] of Object.entries({ order_count_days: `day, ${kind}`, order_count_totals: kind }))
    expect(await sql(sums(table, group)), `${table}, and what it should be`).toEqual(await sql(orders(group)))
}

/**
 * Waits until everything in progress has ended, and then checks that the ledger is balanced: units sold and left are
 * the units of the start, every captured payment has one order or one refund, every order one number, no hold outlives
 * its deadline, and the reconciliation of the shop finds nothing.
 * @param units of each variant at the start; by default those that the test stocked with `stockProduct`
 */
export async function expectShopBalanced(
  shop: TestShop,
  units: ReadonlyMap<string, number> = shop.stocked,
  { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
): Promise<void> {
  await waitFor(
    'holds, sales, payments and refunds to settle',
    async () => (await unsettled(shop)).length === 0,
    timeoutMs,
  ).catch(async () => {
    expect(await unsettled(shop), 'what has not settled').toEqual([])
  })
  expect(units.size, 'variants whose units are counted').toBeGreaterThan(0)
  for (const [variantId, atStart] of units) {
    // Returned goods may be in an event that has left its outbox and that catalog has not processed.
    await waitFor(
      'the stock',
      async () => (await stockOf(shop, variantId)).onHand + (await unitsOrdered(shop, variantId)) === atStart,
      timeoutMs,
    ).catch(() => {}) // The checks below report it.
    const { onHand, reserved } = await stockOf(shop, variantId)
    expect(reserved, `held units of ${variantId}`).toBe(0)
    expect(onHand + (await unitsOrdered(shop, variantId)), `units of ${variantId} sold and left`).toBe(atStart)
  }
  await expectLedgerBalanced(shop)
  const twice = await shop.sql('select number from orders.orders group by number having count(*) > 1')
  expect(twice, 'numbers that several orders have').toEqual([])
  const carts = await shop.sql('select cart_id from orders.orders group by cart_id having count(*) > 1')
  expect(carts, 'carts that are several orders').toEqual([])
  const unassigned = await shop.sql(`
    select p.provider, p.reference from orders.payments p left join orders.orders o on o.id = p.order_id
    where p.status = 'captured' and (o.payment_provider, o.payment_reference) is distinct from (p.provider, p.reference)
      and not exists (
        select 1 from orders.refunds r
        where r.provider = p.provider and r.payment_reference = p.reference and r.status = 'succeeded')`)
  expect(unassigned, 'captured payments without order and without refund').toEqual([])
  await expectFiguresOfSales(shop)
  await expectCountsOfOrders(shop)
  // A service that was too busy to answer is compared the next time.
  const { items, total } = await waitFor('a reconciliation of all services', async () => {
    const response = await shop.admin.post('/admin/reconciliation', { settledAfterSeconds: 0 })
    const report = Reconciliation.parse(response.body)
    return report.unasked.length === 0 && report
  })
  expect({ items, total }, 'the findings of the reconciliation').toEqual({ items: [], total: 0 })
}

/** The names of everything still in progress. */
async function unsettled({ sql }: TestShop): Promise<string[]> {
  const rows = await sql<{ what: string }>(`
    select 'held ' || id as what from catalog.reservations where status = 'held'
    union all select 'event ' || name from orders.outbox
    union all select 'event ' || name from catalog.outbox
    union all select 'payment of ' || number from orders.orders
      where status = 'placed' and payment_provider = 'demo' and payment_status = 'pending'
    union all select 'webhook ' || event_id from orders.provider_events where status = 'pending'
    union all select 'refund ' || id from orders.refunds where status = 'pending'
    union all select 'session ' || id from orders.payment_sessions where status in ('creating', 'open') limit 20`)
  return rows.map(({ what }) => what)
}

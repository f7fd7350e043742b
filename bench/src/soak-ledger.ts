import { setTimeout } from 'node:timers/promises'
import { Pool } from 'pg'
import { ledgerFaults } from '@storefront/tools/ledger'
import type { RunningShop } from '@storefront/tools/launch'
import { shopDatabaseUrl } from './shop-database.ts'

/** Mails are sent more slowly than orders are placed, and late ones are not lost. */
const SETTLE_MS = 15 * 60_000
const POLL_MS = 500

export type Ledger = ReturnType<typeof openLedger>

interface Sold {
  /** Ids of the orders that were confirmed to buyers. */
  confirmed: readonly string[]
  /** The number of `order.paid` webhooks of each order. */
  announced: ReadonlyMap<string, number>
  /** What there was of the variant that sold out. */
  scarce: { variantId: string; units: number }
}

/** Reads the tables of all services, which no service may do. */
export function openLedger(shop: RunningShop) {
  const pool = new Pool({ connectionString: shopDatabaseUrl(shop.databaseAdminUrl), max: 1 })
  // PostgreSQL is killed on purpose.
  pool.on('error', () => {})
  const count = async (query: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await pool.query<{ count: string }>(`select count(*) from (${query}) as found`, values)
    return Number(rows[0]?.count ?? 0)
  }

  return {
    /** Mails that are not sent yet. */
    waitingMails: () => count(WAITING_MAILS),
    /** Waits until all work is done, for a quarter of an hour at most. @returns for how many seconds it waited */
    async settle() {
      const start = performance.now()
      while (performance.now() < start + SETTLE_MS && (await count(UNSETTLED)) > 0) await setTimeout(POLL_MS)
      return (performance.now() - start) / 1000
    },
    /** @returns what was checked, each with a count that must be zero */
    async reconcile({ confirmed, announced, scarce }: Sold) {
      const { rows } = await pool.query<{ id: string; status: string }>('select id, status from orders.orders')
      const existing = new Set(rows.map(({ id }) => id))
      const ordered = await pool.query<{ units: number }>(UNITS_ORDERED, [scarce.variantId])
      const left = await pool.query<{ units: number }>(
        'select on_hand as units from catalog.stock where variant_id = $1',
        [scarce.variantId],
      )
      const soldTooOften = (ordered.rows[0]?.units ?? 0) + (left.rows[0]?.units ?? 0) - scarce.units
      return [
        { check: 'confirmed orders that do not exist', count: confirmed.filter((id) => !existing.has(id)).length },
        { check: 'orders that are not paid', count: rows.filter(({ status }) => status !== 'paid').length },
        {
          check: 'orders without a webhook about their payment',
          count: rows.filter(({ id }) => !announced.has(id)).length,
        },
        { check: 'carts that became two orders', count: await count(TWICE) },
        { check: 'units sold without stock', count: Math.max(0, soldTooOften) },
        { check: 'units that disappeared', count: Math.max(0, -soldTooOften) },
        { check: 'variants whose stock, ledger and reservations disagree', count: await count(ledgerFaults) },
        { check: 'orders without a mail', count: await count(WITHOUT_MAIL) },
        { check: 'unfinished work', count: await count(UNSETTLED) },
      ]
    },
    close: () => pool.end(),
  }
}

const WAITING_MAILS = `select id from notifier.mails where phase in ('queued', 'connecting', 'handed-over')`

const UNSETTLED = `
  select id from catalog.reservations where status = 'held'
  union all select event_id from orders.outbox
  union all select event_id from catalog.outbox
  union all select event_id from cart.outbox
  union all select id from orders.orders where status = 'placed'
  union all select id from notifier.deliveries where status in ('queued', 'sending', 'waiting')
  union all ${WAITING_MAILS}`

const TWICE = 'select cart_id from orders.orders group by cart_id having count(*) > 1'

const UNITS_ORDERED = `
  select coalesce(sum((line->>'quantity')::int), 0)::int as units
  from orders.orders, jsonb_array_elements(document->'lines') as line
  where line->>'variantId' = $1 and status <> 'cancelled'`

/** When the mail server disconnects after a complete mail, its delivery is unknown: that mail counts as sent. */
const WITHOUT_MAIL = `
  select number from orders.orders o where not exists (
    select 1 from notifier.mails
    where reference = o.number and kind = 'orderPlaced' and phase in ('sent', 'uncertain'))`

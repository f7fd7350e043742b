import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { eventsStream } from '@storefront/contracts'
import { natsAddress } from '@storefront/messaging'
import { Client } from 'pg'
import type { RunningShop } from '../launch.ts'
import { urlOfDatabase } from '../with-client.ts'

const PAUSE_MS = 50
const TIMEOUT_MS = 120_000

/**
 * What the services still do in the background, by their tables. Not what waits for a buyer or a merchant, such as an
 * open payment page, and not the sales figures, which are added up when they are read.
 */
export const UNFINISHED = `
  select 'event ' || name as what from catalog.outbox
  union all select 'event ' || name from cart.outbox
  union all select 'event ' || name from orders.outbox
  union all select 'event ' || name from identity.outbox
  union all select 'event ' || name from notifier.outbox
  union all select 'response of ' || product_id from catalog.refresh_queue
  union all select 'first ranking' from catalog.listing_state where bestseller_units is null
  union all select 'badge of ' || product_id from catalog.listings, catalog.listing_state
    where shows_bestseller <> (units_sold > 0 and units_sold >= bestseller_units)
  union all select 'import ' || id from catalog.import_jobs where finished_at is null
  union all select 'bulk edit ' || id from catalog.bulk_edits where finished_at is null
  union all select 'search for ' || order_id from orders.order_search_queue
  union all select 'buyer of ' || order_id from orders.buyer_changes
  union all select 'payment of ' || number from orders.orders
    where status = 'placed' and payment_provider = 'demo' and payment_status = 'pending'
  union all select 'webhook ' || event_id from orders.provider_events where status = 'pending'
  union all select 'refund ' || id from orders.refunds where status = 'pending'
  union all select 'mail ' || id from notifier.mails where phase in ('queued', 'connecting', 'handed-over')
  union all select 'delivery ' || id from notifier.deliveries where status in ('queued', 'sending', 'waiting')
  limit 20`

/** Waits until a shop has done everything that follows from the requests so far. */
export async function watchIdle(shop: RunningShop) {
  const client = new Client({ connectionString: urlOfDatabase(shop.databaseAdminUrl, shop.namespace) })
  await client.connect()
  const nats = await connect(natsAddress(shop.infrastructure.nats.url))
  const manager = await jetstreamManager(nats)
  const stream = eventsStream(shop.namespace)
  return {
    /** @throws Error that names what the shop still does after two minutes */
    untilIdle: () => untilNothing(() => findWork(client, manager, stream)),
    async stop() {
      await nats.close()
      await client.end()
    },
  }
}

async function findWork(client: Client, manager: JetStreamManager, stream: string): Promise<string[]> {
  const before = await lastEvent(manager, stream)
  const waiting: string[] = []
  for await (const { name, num_pending, num_ack_pending } of manager.consumers.list(stream)) {
    if (num_pending + num_ack_pending > 0) waiting.push(`events of ${name}`)
  }
  if (waiting.length > 0) return waiting
  const { rows } = await client.query<{ what: string }>(UNFINISHED)
  // An event that was published meanwhile is no longer in an outbox, and its consumers had nothing to do before.
  const isMoving = (await lastEvent(manager, stream)) !== before
  return [...rows.map(({ what }) => what), ...(isMoving ? ['events'] : [])]
}

async function lastEvent(manager: JetStreamManager, stream: string): Promise<number> {
  return (await manager.streams.info(stream)).state.last_seq
}

async function untilNothing(find: () => Promise<string[]>): Promise<void> {
  const begun = performance.now()
  for (let work = await find(); work.length > 0; work = await find()) {
    if (performance.now() - begun > TIMEOUT_MS) throw new Error(`The shop still does this: ${work.join(', ')}.`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

import type { Messaging } from '@storefront/messaging'
import { eventSubject, newId, type EventDefinition } from '@storefront/contracts'
import { waitFor, type Suite } from '@storefront/tools/testing'
import type { Shop } from './shop.ts'

/** Waits until the relay has published every event of orders. */
export const relayed = (suite: Suite) =>
  waitFor('an empty outbox', async () => (await suite.sql('select from orders.outbox')).length === 0)

/** What was published about an order. */
export async function published<Data extends { orderId: string }>(
  { suite }: Pick<Shop, 'suite'>,
  event: EventDefinition<string, Data>,
  orderId: string,
): Promise<Data[]> {
  await relayed(suite)
  return (await suite.eventsOf(event)).filter((each) => each.orderId === orderId)
}

/**
 * Publishes events as the relay of identity does, but without its Nats-Msg-Id: an event that is sent twice under one id
 * arrives twice. Waits until each is consumed.
 * @param from is called for each event, because a test starts its shop later
 */
export function publisher(from: () => { shop: Pick<Shop, 'suite'>; identity: Messaging }) {
  return async <Data>(event: EventDefinition<string, Data>, data: Data, at = new Date(), id = newId('event')) => {
    const { shop, identity } = from()
    const envelope = { id, name: event.name, at: at.toISOString(), data: event.data.parse(data) }
    identity.connection().publish(eventSubject(shop.suite.namespace, event), JSON.stringify(envelope))
    await (await identity.opened).flush()
    await waitFor('the event to be consumed', async () => {
      const rows = await shop.suite.sql('select 1 from orders.inbox where event_id = $1', [id])
      return rows.length > 0
    })
  }
}

import type { Messaging } from '@storefront/messaging'
import { eventSubject, newId, type EventDefinition } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { Shop } from './shop.ts'

/** Publishes an event as its service does. @returns its id */
export async function publishEvent<Data>(
  from: Messaging,
  event: EventDefinition<string, Data>,
  data: Data,
  { id = newId('event'), at = new Date().toISOString() }: { id?: string | undefined; at?: string } = {},
): Promise<string> {
  const envelope = { id, name: event.name, at, data }
  from.connection().publish(eventSubject(from.namespace, event), JSON.stringify(envelope))
  await (await from.opened).flush()
  return id
}

/** Resolves when cart has consumed these events. */
export async function consumed({ suite }: Shop, ...ids: string[]): Promise<void> {
  await waitFor('the events to be consumed', async () => {
    const rows = await suite.sql('select 1 from cart.inbox where event_id = any($1)', [ids])
    return rows.length === ids.length
  })
}

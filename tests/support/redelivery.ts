import { jetstreamManager } from '@nats-io/jetstream'
import { eventsStream } from '@storefront/contracts'
import { withNats } from '@storefront/tools/infrastructure'
import type { TestShop } from './shop.ts'

/**
 * JetStream redelivers an event that a consumer fetched and did not acknowledge, after twenty seconds by default. A
 * test that kills consumers shortens that time.
 */
export async function redeliverAfter({ shop }: TestShop, seconds: number): Promise<void> {
  await withNats(shop.infrastructure.nats.url, {}, async (connection) => {
    const manager = await jetstreamManager(connection)
    const stream = eventsStream(shop.namespace)
    for await (const { name } of manager.consumers.list(stream)) {
      await manager.consumers.update(stream, name, { ack_wait: seconds * 1e9 })
    }
  })
}

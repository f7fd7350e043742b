import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { eventsStream } from '@storefront/contracts'
import { natsAddress } from '@storefront/tools/infrastructure'
import type { TestShop } from './shop.ts'

/**
 * JetStream delivers an event again that a consumer took and did not acknowledge, after twenty seconds unless told
 * otherwise. A test that kills consumers need not wait that long.
 */
export async function redeliverAfter({ shop }: TestShop, seconds: number): Promise<void> {
  const nats = await connect(natsAddress(shop.infrastructure.nats.url))
  try {
    const manager = await jetstreamManager(nats)
    const stream = eventsStream(shop.namespace)
    for await (const { name } of manager.consumers.list(stream)) {
      await manager.consumers.update(stream, name, { ack_wait: seconds * 1e9 })
    }
  } finally {
    await nats.close()
  }
}

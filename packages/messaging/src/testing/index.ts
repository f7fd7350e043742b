export { type ConsumerOptions } from '../consumer.ts'
export { EventTooLarge } from '../outbox.ts'
export { publishNextLost } from '../lost-events.ts'
export { deleteSentEvents, findStuckEvents, relayBatch } from '../relay.ts'

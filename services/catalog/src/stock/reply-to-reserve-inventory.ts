import { replyTo, type Messaging } from '@storefront/messaging'
import type { ActorVerifier, Clock, Log } from '@storefront/service'
import { ReserveInventory } from '@storefront/contracts'
import type { ReservationBatches } from './reservation-batches.ts'

/** Holds goods for a checkout: all lines or none. */
export function replyToReserveInventory(
  context: { messaging: Messaging; verifyActor: ActorVerifier; log: Log; clock: Clock },
  batches: ReservationBatches,
): void {
  replyTo(context, ReserveInventory, ({ reservationId, lines, ttlSeconds, unpaid }, { deadlineMs }) => {
    const expiresAt = new Date(context.clock.now().getTime() + ttlSeconds * 1000)
    return batches.reserve({ reservationId, lines, expiresAt, unpaid }, deadlineMs)
  })
}

import { replyTo, type ActorVerifier, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { ReserveInventory } from '@storefront/contracts'
import type { ReservationDesk } from './reservation-desk.ts'

/** Holds goods for a checkout: all lines or none. */
export function replyToReserveInventory(
  context: { messaging: Messaging; verifyActor: ActorVerifier; log: Log; clock: Clock },
  desk: ReservationDesk,
): void {
  replyTo(context, ReserveInventory, ({ reservationId, lines, ttlSeconds, unpaid }) =>
    desk.reserve({
      reservationId,
      lines,
      expiresAt: new Date(context.clock.now().getTime() + ttlSeconds * 1000),
      unpaid,
    }),
  )
}

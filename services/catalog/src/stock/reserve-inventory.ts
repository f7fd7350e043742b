import { replyTo } from '@storefront/messaging'
import { ReserveInventory } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { ReservationBatches } from './reservation-batches.ts'

/** Holds goods for a checkout: all lines or none. */
export function replyToReserveInventory(context: CatalogContext, batches: ReservationBatches): void {
  replyTo(context, ReserveInventory, ({ reservationId, lines, ttlSeconds, unpaid }, { deadlineMs }) => {
    const expiresAt = new Date(context.clock.now().getTime() + ttlSeconds * 1000)
    return batches.reserve({ reservationId, lines, expiresAt, unpaid }, deadlineMs)
  })
}

import { replyTo } from '@storefront/messaging'
import { CheckReservations } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { findByClaim } from './reservations.queries.ts'

/** Reports the status of holds, for the reconciliation in orders. The reply does not contain deleted ones. */
export function replyToCheckReservations(context: CatalogContext): void {
  replyTo(context, CheckReservations, async ({ claims }) => ({
    reservations: (await findByClaim(context.db, claims)).map(({ claim, status, expiresAt }) => ({
      claim,
      status,
      expiresAt: expiresAt.toISOString(),
    })),
  }))
}

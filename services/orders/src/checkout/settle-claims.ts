import { replyTo } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { SettleClaims } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { abandonClaims, findVerdicts, lockClaims } from './claims.queries.ts'

/**
 * Catalog and cart request the verdict on holds whose deadline has passed. The request decides it: a hold that has
 * neither an order nor an open payment page by then never gets an order.
 */
export function replyToSettleClaims(context: OrdersContext): void {
  replyTo(context, SettleClaims, ({ claims }) =>
    transaction(context.db, async (tx) => {
      await lockClaims(tx, claims)
      await abandonClaims(tx, claims, context.clock.now())
      return { verdicts: await findVerdicts(tx, claims) }
    }),
  )
}

import { replyTo, type Messaging } from '@storefront/messaging'
import type { ActorVerifier, Log } from '@storefront/service'
import { CheckRestrictions } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findUnknownNames } from './restrictions.queries.ts'

/** Replies to cart which products and categories of a discount the shop does not have. */
export function replyToCheckRestrictions(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  replyTo(context, CheckRestrictions, async (names) => {
    const { unknown, total } = await findUnknownNames(context.db, names)
    return {
      unknown: unknown.map(({ suggestion, ...name }) => ({ ...name, ...(suggestion !== null && { suggestion }) })),
      total,
    }
  })
}

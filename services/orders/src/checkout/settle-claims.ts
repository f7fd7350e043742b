import { answer, transaction, type ActorVerifier, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { SettleClaims } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { abandonClaims, findVerdicts } from './claims.queries.ts'

/** Catalog asks what became of holds whose deadline has passed. Asking decides it: what is not ordered never will be. */
export function answerSettleClaims(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  clock: Clock
}): void {
  answer(context, SettleClaims, ({ claims }) =>
    transaction(context.db, async (tx) => {
      await abandonClaims(tx, claims, context.clock.now())
      return { verdicts: await findVerdicts(tx, claims) }
    }),
  )
}

import { replyTo } from '@storefront/messaging'
import { ReadActorNames } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { findActors } from './actors.queries.ts'

/** Gives the other services the names for the ids in their audits. */
export function replyToReadActorNames(context: IdentityContext): void {
  replyTo(context, ReadActorNames, async ({ ids }) => ({ actors: await findActors(context.db, ids) }))
}

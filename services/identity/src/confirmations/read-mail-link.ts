import { replyTo } from '@storefront/messaging'
import { ReadMailLink } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { isOpen, PURPOSES } from './confirmation.ts'
import { findConfirmation } from './confirmations.queries.ts'
import { linkTo } from './link-tokens.ts'

/** Requested by notifier at the moment it writes the mail, so that no event and no queue ever contains the secret. */
export function replyToReadMailLink(context: IdentityContext): void {
  const { db, links, accountUrl, clock } = context
  replyTo(context, ReadMailLink, async ({ confirmationId }) => {
    const confirmation = await findConfirmation(db, confirmationId)
    if (!confirmation || !isOpen(confirmation, clock.now())) return {}
    const { purpose, id, expires_at } = confirmation
    const url = linkTo(accountUrl, PURPOSES[purpose].path, links.make(purpose, id))
    return { url, expiresAt: expires_at.toISOString() }
  })
}

import { replyTo } from '@storefront/messaging'
import { ReadAdminAddress } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { findAdmin } from './admins.queries.ts'

/** Notifier requests it for a test mail to the admin who triggers one. */
export function replyToReadAdminAddress(context: IdentityContext): void {
  replyTo(context, ReadAdminAddress, async ({ userId }) => {
    const admin = await findAdmin(context.db, userId)
    if (admin === undefined || admin.disabled_at !== null || admin.email_canonical === null) return {}
    return { email: admin.email_canonical }
  })
}

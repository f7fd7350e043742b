import { DAY_MS } from '@storefront/service'
import { deleteOldReceipts } from '@storefront/messaging'
import type { RetentionRule } from '@storefront/postgres'
import type { NotifierContext } from './context.ts'
import { deleteOldDeliveries } from './deliveries/delete-old-deliveries.ts'
import { deleteErasedAddresses } from './mails/customer-mails.queries.ts'
import { deleteOldMailCounts } from './mails/mail-counts.queries.ts'
import { deleteMailContents, deleteOldMails } from './mails/retention.queries.ts'

/** What this service deletes, and how long it keeps it. */
export const RETENTION = {
  // Longer than an event can stay on the stream, so no event is queued twice.
  'old deliveries': {
    keptMs: 30 * DAY_MS,
    deleteBefore: (db, before, _limit, context) => deleteOldDeliveries(db, before, context),
  },
  // Names and addresses of buyers are in the order; a second copy of them is kept only while it may explain something.
  'contents of old mails': { keptMs: 30 * DAY_MS, deleteBefore: deleteMailContents },
  // A year, and a month in which the whole year can still be looked up.
  'old mails': { keptMs: 400 * DAY_MS, deleteBefore: deleteOldMails },
  // Longer than a dead letter, which can be published again for 90 days.
  'erased addresses': { keptMs: 92 * DAY_MS, deleteBefore: deleteErasedAddresses },
  // No limit needs them any longer.
  'old counts of mails': { keptMs: DAY_MS, deleteBefore: deleteOldMailCounts },
  'old receipts': { keptMs: 0, deleteBefore: (db, _before, limit) => deleteOldReceipts(db, limit) },
} satisfies Record<string, RetentionRule<Pick<NotifierContext, 'db' | 'clock' | 'log'>>>

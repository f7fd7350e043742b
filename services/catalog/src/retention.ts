import { MINUTE_MS, DAY_MS } from '@storefront/service'
import { deleteOldReceipts } from '@storefront/messaging'
import { SELDOM_MS, type RetentionRule } from '@storefront/postgres'
import { ALERT_KEPT_MS, CONFIRMABLE_MS, DONE_KEPT_MS } from './alerts/alert.ts'
import { deleteDoneAlerts, deleteOldAlerts, deleteUnconfirmedAlerts } from './alerts/alerts.queries.ts'
import type { CatalogContext } from './context.ts'
import { deleteBulkEdits } from './bulk-edits/bulk-edits.queries.ts'
import { deleteEdits } from './bulk-edits/edited-products.queries.ts'
import { anonymizeLatePurchases, deleteFormerCustomers } from './customers/customers.queries.ts'
import { deleteOldChanges } from './listings/index.queries.ts'
import { deleteOldRemovals } from './saves/saves.queries.ts'
import { deleteOldReservations } from './stock/reservations.queries.ts'
import { deleteOldJobs } from './transfer/jobs.queries.ts'

/** Longer than the stream keeps an event. */
const EVENTS_KEPT_MS = 14 * DAY_MS

/** What this service deletes, and how long it keeps it. Files that no row names are deleted by `sweepMedia`. */
export const RETENTION = {
  'old list changes': { everyMs: MINUTE_MS, keptMs: 0, deleteBefore: deleteOldChanges },
  'old receipts': { keptMs: 0, deleteBefore: (db, _before, limit) => deleteOldReceipts(db, limit) },
  'removed wishlist entries': { everyMs: SELDOM_MS, keptMs: EVENTS_KEPT_MS, deleteBefore: deleteOldRemovals },
  'records of former customers': {
    everyMs: SELDOM_MS,
    keptMs: EVENTS_KEPT_MS,
    deleteBefore: async (db, before, limit) => {
      await anonymizeLatePurchases(db)
      return deleteFormerCustomers(db, before, limit)
    },
  },
  // Their owners may not know of them. A day longer than the link is valid.
  'unconfirmed alerts': { keptMs: CONFIRMABLE_MS + DAY_MS, deleteBefore: deleteUnconfirmedAlerts },
  'alerts that have ended': { keptMs: DONE_KEPT_MS, deleteBefore: deleteDoneAlerts },
  'old alerts': { everyMs: SELDOM_MS, keptMs: ALERT_KEPT_MS, deleteBefore: deleteOldAlerts },
  // They are needed for an hour, and for an undo that begins in that hour.
  'products of bulk edits': { keptMs: 2 * DAY_MS, deleteBefore: deleteEdits },
  'old bulk edits': { everyMs: SELDOM_MS, keptMs: 30 * DAY_MS, deleteBefore: deleteBulkEdits },
  'old imports': { keptMs: 30 * DAY_MS, deleteBefore: deleteOldJobs },
  'old reservations': { everyMs: SELDOM_MS, keptMs: 30 * DAY_MS, deleteBefore: deleteOldReservations },
} satisfies Record<string, RetentionRule<Pick<CatalogContext, 'db' | 'clock'>>>

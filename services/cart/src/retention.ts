import { MINUTE_MS, DAY_MS } from '@storefront/service'
import { deleteOldReceipts } from '@storefront/messaging'
import { SELDOM_MS, type RetentionRule } from '@storefront/postgres'
import { deleteExpired } from './cart/carts.queries.ts'
import type { CartContext } from './context.ts'
import { deleteOldImports } from './discounts/imports.queries.ts'
import { deleteOldRedemptions } from './discounts/redemptions.queries.ts'

/** Longer than the stream keeps an event that may refer to a redemption or an import. */
const RECORDS_KEPT_MS = 30 * DAY_MS

/** What this service deletes, and how long it keeps it. */
export const RETENTION = {
  'expired carts': { everyMs: MINUTE_MS, keptMs: 0, deleteBefore: deleteExpired },
  'old discount redemptions': { everyMs: SELDOM_MS, keptMs: RECORDS_KEPT_MS, deleteBefore: deleteOldRedemptions },
  'old discount imports': { everyMs: SELDOM_MS, keptMs: RECORDS_KEPT_MS, deleteBefore: deleteOldImports },
  'old receipts': { keptMs: 0, deleteBefore: (db, _before, limit) => deleteOldReceipts(db, limit) },
} satisfies Record<string, RetentionRule<Pick<CartContext, 'db' | 'clock'>>>

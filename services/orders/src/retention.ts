import { MINUTE_MS, DAY_MS } from '@storefront/service'
import { deleteOldReceipts } from '@storefront/messaging'
import { SELDOM_MS, type RetentionRule } from '@storefront/postgres'
import { deleteOldClaims } from './checkout/claims.queries.ts'
import type { OrdersContext } from './context.ts'
import { closeFormerAccounts } from './customers/close-former-accounts.ts'
import { deleteOldDrafts } from './drafts/drafts.queries.ts'
import { deleteOldKeys } from './idempotency/idempotency.queries.ts'
import { KEY_MEMORY_DAYS } from './idempotency/respond-once.ts'
import { deleteOldLookups } from './lookup/lookup-attempts.ts'
import { deleteDemoSessions } from './payments/demo/demo.queries.ts'
import { deleteEndedSessions, deleteOldSessionIds } from './sessions/deleted-sessions.queries.ts'
import { deleteOldEvents } from './webhooks/webhooks.queries.ts'

/** As long as a provider resends its events of a payment. */
const PROVIDER_EVENTS_KEPT_MS = 30 * DAY_MS

/** What this service deletes, and how long it keeps it. */
export const RETENTION = {
  // Lookups of unknown numbers are stored, too. The log of attempts itself decides how long it needs its rows.
  'old lookups': { everyMs: 5 * MINUTE_MS, keptMs: 0, deleteBefore: deleteOldLookups },
  'old idempotency keys': { keptMs: KEY_MEMORY_DAYS * DAY_MS, deleteBefore: deleteOldKeys },
  // Addresses of buyers who did not buy. Those of a deleted account or an erased guest are kept for a day: enough for
  // the update of a last-moment payment, and to look it up once more. A bank debit is authorized by then, and keeps
  // them until it is paid.
  'ended payment sessions': {
    keptMs: PROVIDER_EVENTS_KEPT_MS,
    deleteBefore: (db, endedBefore, limit, { clock }) => {
      const now = clock.now()
      const formerEndedBefore = new Date(now.getTime() - DAY_MS)
      return deleteEndedSessions(db, { endedBefore, formerEndedBefore, now, limit })
    },
  },
  'ids of deleted payment sessions': {
    everyMs: SELDOM_MS,
    keptMs: PROVIDER_EVENTS_KEPT_MS,
    deleteBefore: deleteOldSessionIds,
  },
  // Longer than the stream keeps an event.
  'records of deleted accounts': {
    keptMs: 14 * DAY_MS,
    deleteBefore: (db, before, _limit, { isStopping }) => closeFormerAccounts(db, before, isStopping),
  },
  // Longer than any payment link works. Its order, if it has one, stays.
  'old draft orders': { keptMs: 180 * DAY_MS, deleteBefore: deleteOldDrafts },
  'old receipts': { keptMs: 0, deleteBefore: (db, _before, limit) => deleteOldReceipts(db, limit) },
  // Holds last minutes, so no service requests the verdict on a claim that is a month old.
  'old claims': { everyMs: SELDOM_MS, keptMs: 30 * DAY_MS, deleteBefore: deleteOldClaims },
  'old provider events': { everyMs: SELDOM_MS, keptMs: PROVIDER_EVENTS_KEPT_MS, deleteBefore: deleteOldEvents },
  'old demo payments': { everyMs: SELDOM_MS, keptMs: PROVIDER_EVENTS_KEPT_MS, deleteBefore: deleteDemoSessions },
} satisfies Record<string, RetentionRule<Pick<OrdersContext, 'db' | 'clock'>>>

import { MINUTE_MS, DAY_MS } from '@storefront/service'
import type { RetentionRule } from '@storefront/postgres'
import { deleteOldApiKeys } from './api-keys/api-keys.queries.ts'
import { KEPT_AFTER_END_MS } from './api-keys/api-key.ts'
import { attempts } from './attempts/attempt.ts'
import { deleteOldAuditEntries } from './audit/audit.queries.ts'
import { LIMITS_LOOK_BACK_MS, PURPOSES } from './confirmations/confirmation.ts'
import { deleteExpiredConfirmations } from './confirmations/confirmations.queries.ts'
import { deleteOldRecipients } from './confirmations/recipient-mails.queries.ts'
import type { IdentityContext } from './context.ts'
import { PREVIOUS_KEPT_MS } from './credentials/credential.ts'
import { deleteReplaced } from './credentials/credentials.queries.ts'
import { deleteUnconfirmedSubscribers } from './newsletter/newsletter.queries.ts'
import { deleteExpiredSessions } from './sessions/sessions.queries.ts'

type Context = Pick<IdentityContext, 'db' | 'clock'>

/** What this service deletes, and how long it keeps it. */
export const RETENTION = {
  // A day after the end, when no verifier accepts the token, whatever its clock.
  'expired sessions': { keptMs: DAY_MS, deleteBefore: deleteExpiredSessions },
  'old API keys': {
    keptMs: KEPT_AFTER_END_MS,
    deleteBefore: (db, before, limit, { clock }) => deleteOldApiKeys(db, before, clock.now(), limit),
  },
  // Their previous values no longer sign anything.
  'replaced credentials': { everyMs: 10 * MINUTE_MS, keptMs: PREVIOUS_KEPT_MS, deleteBefore: deleteReplaced },
  // Attempts for unknown addresses are stored, too. The log of attempts decides how long it needs its rows.
  'old attempts': {
    everyMs: 5 * MINUTE_MS,
    keptMs: 0,
    deleteBefore: (db, now, limit) => attempts.deleteOld(db, now, limit),
  },
  // Then neither a link nor a limit needs them.
  'old confirmations': { keptMs: LIMITS_LOOK_BACK_MS, deleteBefore: deleteExpiredConfirmations },
  // Addresses without an account are counted, too.
  'old recipients of mails': { keptMs: LIMITS_LOOK_BACK_MS, deleteBefore: deleteOldRecipients },
  // Their owners may not know of them. A day longer than the link is valid.
  'unconfirmed subscribers': {
    keptMs: PURPOSES.newsletter.lastsMs + DAY_MS,
    deleteBefore: deleteUnconfirmedSubscribers,
  },
  // A year, and another month in which the whole year can be read.
  'old audit entries': {
    keptMs: 400 * DAY_MS,
    deleteBefore: (db, before, limit) => deleteOldAuditEntries(db, { before }, limit),
  },
  // Failed sign-ins with unknown addresses: an attacker can cause as many of them as they like.
  'audit entries of unknown addresses': {
    keptMs: 30 * DAY_MS,
    deleteBefore: (db, before, limit) => deleteOldAuditEntries(db, { before, outcome: 'unknown' }, limit),
  },
} satisfies Record<string, RetentionRule<Context>>

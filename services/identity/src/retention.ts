import { every, type Timer } from '@storefront/service'
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
import type { Database } from './database.ts'
import { deleteUnconfirmedSubscribers } from './newsletter/newsletter.queries.ts'
import { deleteExpiredSessions } from './sessions/sessions.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Rows are deleted this many at a time, so that no other transaction waits for long. */
const BATCH = 1000

interface Rule {
  everyMs: number
  keptMs: number
  /** @returns how many were deleted, if it deletes `limit` at most */
  deleteBefore: (db: Database, before: Date, limit: number, now: Date) => Promise<number | void>
}

/** What this service deletes, how often it looks for it, and how long it keeps it. */
const RULES = {
  // Long after any clock would still accept the token.
  'expired sessions': { everyMs: HOUR_MS, keptMs: DAY_MS, deleteBefore: deleteExpiredSessions },
  'old API keys': {
    everyMs: HOUR_MS,
    keptMs: KEPT_AFTER_END_MS,
    deleteBefore: (db, before, _limit, now) => deleteOldApiKeys(db, before, now),
  },
  // Their previous values no longer sign anything.
  'replaced credentials': { everyMs: 10 * MINUTE_MS, keptMs: PREVIOUS_KEPT_MS, deleteBefore: deleteReplaced },
  // An address without an account takes a row as well. The log of attempts knows how long it needs them.
  'old attempts': { everyMs: 5 * MINUTE_MS, keptMs: 0, deleteBefore: (db, now) => attempts.deleteOld(db, now) },
  // Neither a link nor a limit needs them any more.
  'old confirmations': { everyMs: HOUR_MS, keptMs: LIMITS_LOOK_BACK_MS, deleteBefore: deleteExpiredConfirmations },
  // An address without an account takes a row as well.
  'old recipients of mails': { everyMs: HOUR_MS, keptMs: LIMITS_LOOK_BACK_MS, deleteBefore: deleteOldRecipients },
  // Addresses that were typed and never confirmed: their owners may not know of it. A day longer than the link works.
  'unconfirmed subscribers': {
    everyMs: HOUR_MS,
    keptMs: PURPOSES.newsletter.lastsMs + DAY_MS,
    deleteBefore: deleteUnconfirmedSubscribers,
  },
  // A year, and time to look back at it.
  'old audit entries': {
    everyMs: HOUR_MS,
    keptMs: 400 * DAY_MS,
    deleteBefore: (db, before, limit) => deleteOldAuditEntries(db, { before }, limit),
  },
  // Failed sign-ins with unknown addresses: an attacker can cause as many of them as they like.
  'audit entries of unknown addresses': {
    everyMs: HOUR_MS,
    keptMs: 30 * DAY_MS,
    deleteBefore: (db, before, limit) => deleteOldAuditEntries(db, { before, outcome: 'unknown' }, limit),
  },
} satisfies Record<string, Rule>

export type Retained = keyof typeof RULES

type Context = Pick<IdentityContext, 'db' | 'clock'>

/** Deletes what the rule of that name keeps no longer. */
export const deleteOld = (context: Context, what: Retained): Promise<void> => follow(RULES[what], context)

export function startRetention(context: Context & Pick<IdentityContext, 'log'>): Timer[] {
  return Object.entries<Rule>(RULES).map(([what, rule]) =>
    every(rule.everyMs, `delete ${what}`, context.log, () => follow(rule, context)),
  )
}

async function follow({ keptMs, deleteBefore }: Rule, { db, clock }: Context): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - keptMs)
  while ((await deleteBefore(db, before, BATCH, now)) === BATCH);
}

import { z } from 'zod'
import { AUDITED_KINDS } from './activity-kinds.ts'
import { OpaqueId } from './ids.ts'
import { Timestamp } from './shapes/common.ts'

export type AuditingService = keyof typeof AUDITED_KINDS
export const AuditingService = z.enum(['catalog', 'cart', 'orders', 'identity', 'notifier'])

export const ActivityKind = z.enum([
  ...AUDITED_KINDS.catalog,
  ...AUDITED_KINDS.cart,
  ...AUDITED_KINDS.orders,
  ...AUDITED_KINDS.identity,
  ...AUDITED_KINDS.notifier,
])
export type ActivityKind = z.output<typeof ActivityKind>

/** The actor of an entry, with the current name; a deleted admin or an old key keeps the last one. */
export const NamedActor = z
  .object({
    kind: z
      .enum(['user', 'key', 'visitor', 'schedule'])
      .describe(
        'An admin user, a secret key, a visitor who did not prove to be either, or a time that a merchant had set.',
      ),
    id: z.string().nullable().describe('Of the admin user or secret key; `schedule` for a time; null for a visitor.'),
    name: z
      .string()
      .nullable()
      .describe('The current or last known name; null when it is not known or could not be read.'),
    email: z.string().optional().describe('Only for an admin user; left out when it could not be read.'),
  })
  .meta({ id: 'NamedActor' })
export type NamedActor = z.output<typeof NamedActor>

/** One field that an entry changed. */
export const ActivityChange = z
  .object({
    field: z.string().describe('Name of the field that changed.'),
    before: z
      .unknown()
      .optional()
      .describe('Its value before the change; left out when the field is new, or the value is long or secret.'),
    after: z
      .unknown()
      .optional()
      .describe('Its value after the change; left out when the field was removed, or the value is long or secret.'),
  })
  .meta({ id: 'ActivityChange' })
export type ActivityChange = z.output<typeof ActivityChange>

/** The fields of every entry, as services send it and as merchants read it. */
export const ActivityFacts = z.object({
  at: Timestamp.describe('When the change was made, ISO 8601 UTC.'),
  action: z.string().describe('Such as create, update, delete, or a step of an order such as fulfilled.'),
  subject: z
    .object({
      kind: z.string().describe('Such as product, order or api-key; GET /admin/activity filters by it.'),
      id: z.string().describe('Id, slug or code, depending on the kind.'),
      name: z.string().optional().describe('Name of the record; left out when it is not known.'),
    })
    .describe('The record that the entry is about.'),
  summary: z.string().describe('The change in one sentence, for merchants.'),
  outcome: z
    .string()
    .optional()
    .describe(
      'Only of sign-ins and of changes of users, keys and credentials: `succeeded`, or why it was rejected, such as `wrong_password`.',
    ),
  changes: z
    .array(ActivityChange)
    .optional()
    .describe('Short values only, 20 fields at most; the audit of the service has all of them.'),
})

/** An entry as its service sends it. A source numbers its entries from 1. */
export const ActivityRecord = ActivityFacts.extend({
  source: z.string().min(1).max(50),
  number: z.int().positive(),
  actorId: z.string().nullable(),
})
export type ActivityRecord = z.output<typeof ActivityRecord>

/** The position of an entry in the merged list: the latest first, then by source, then the highest number first. */
export const ActivityPosition = ActivityRecord.pick({ at: true, source: true, number: true })
export type ActivityPosition = z.output<typeof ActivityPosition>

/** A page of a hundred, and one more that shows whether there is another page. */
const MAX_ACTIVITY_RECORDS = 101
/** Entries are counted up to this number only. */
export const MAX_ACTIVITY_TOTAL = 10_000

/** A page of the entries that a service keeps. An entry must match all filters. */
export const ActivityQuery = z.object({
  /** Only entries after this one, in whichever service. */
  behind: ActivityPosition.optional(),
  limit: z.int().min(1).max(MAX_ACTIVITY_RECORDS),
  actorIds: z.array(OpaqueId).min(1).max(100).optional(),
  kinds: z.array(z.string().max(50)).min(1).max(50).optional(),
  from: Timestamp.optional(),
  /** `to` itself is not part of the period. */
  to: Timestamp.optional(),
})
export type ActivityQuery = z.output<typeof ActivityQuery>

export const ActivityPage = z.object({
  entries: z.array(ActivityRecord),
  /** How many entries match the filters on all pages, counted up to `MAX_ACTIVITY_TOTAL`. */
  total: z.int().nonnegative(),
})
export type ActivityPage = z.output<typeof ActivityPage>

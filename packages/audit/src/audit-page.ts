import { z } from 'zod'
import { listOf } from '@storefront/contracts'
import { optionalFilter, pageParameters, periodParameters, requestedPageFields } from '@storefront/http'

/** The filters that every audit has, besides its subjects. */
export const AuditPageQuery = z.object({
  actor: optionalFilter(z.string().max(200)).describe('Id of an admin user or of a secret key'),
  ...periodParameters('Made'),
  before_id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional()
    .describe('`nextBeforeId` of the previous page; it replaces `page`, whose entries move when newer ones arrive.'),
  ...pageParameters({ default: 25, max: 100 }),
})

/** Counting stops here, because more would take long. */
export const MAX_AUDIT_TOTAL = 10_000

/** The reply of an audit: a page, the latest entry first. */
export function auditListOf<Entry extends z.ZodType>(entry: Entry) {
  return listOf(entry).extend({
    total: z
      .int()
      .nonnegative()
      .max(MAX_AUDIT_TOTAL)
      .describe(`How many entries match; ${MAX_AUDIT_TOTAL} stands for that many or more.`),
    ...requestedPageFields,
    nextBeforeId: z.int().optional().describe('Send it as `before_id` for the next page'),
  })
}

/** The period of a query. */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
}

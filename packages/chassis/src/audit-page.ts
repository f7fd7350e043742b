import { z } from 'zod'
import { clampedInteger, listOf } from '@storefront/contracts'

/** What every audit can be asked, beside what it is about. */
export const AuditPageQuery = z.object({
  actor: z.string().max(200).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** The last id of the page before: entries are numbered, and newer ones come while somebody reads. */
  before_id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
  per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
})

/** The answer of an audit: a page, the latest entry first. */
export function auditListOf<Entry extends z.ZodType>(entry: Entry) {
  return listOf(entry).extend({ perPage: z.int(), nextBeforeId: z.int().optional() })
}

/**
 * Cuts a page out of what was found.
 * @param found one entry more than a page holds, if there is another page
 * @param perPage how many a page holds
 */
export function auditPage<Entry extends { id: number }>(found: readonly Entry[], perPage: number) {
  const items = found.slice(0, perPage)
  const last = items.at(-1)
  return { items, perPage, ...(found.length > items.length && last && { nextBeforeId: last.id }) }
}

import { z } from 'zod'
import { clampedInteger } from '@storefront/contracts'

/** A log is counted up to this number; `total` then shows it, and pages continue beyond. */
export const COUNTED_BY_LOG = 10_000
const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

/** The parameters for reading a log page by page. */
export const LogPageQuery = z.object({
  page: clampedInteger({ default: 1, min: 1, max: 100_000 }).describe(
    'Starts at 1; the newest entries are on the first page.',
  ),
  per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }).describe(
    `Entries on a page: ${DEFAULT_PER_PAGE} if omitted, ${MAX_PER_PAGE} at most.`,
  ),
})

/** The place of a page in its log, for the reply. */
export const LogPageFields = z.object({
  page: z.int().describe('Number of this page, starting at 1.'),
  perPage: z.int().describe('Entries on a full page.'),
})

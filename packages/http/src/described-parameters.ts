import { clampedInteger, Moment, PeriodEnd } from '@storefront/contracts'
import { z } from 'zod'

/** For a list that is read by offset. A higher page number is clamped. */
const MAX_PAGE = 1_000_000

/** Entries on one page of a list. */
interface PageSize {
  /** The default of `per_page`. */
  default: number
  max: number
}

/** A page of a list that merchants read. */
const MERCHANTS_PAGE: PageSize = { default: 25, max: 100 }

/** The place of a page in its list, as requested. */
interface PageQuery {
  page: number
  per_page: number
}

/** The query parameter `page` of a list that is read by offset. */
const PageParameter = clampedInteger({ default: 1, min: 1, max: MAX_PAGE }).describe(
  'Number of the page, counted from 1; a page after the last one is empty.',
)

/** The query parameter `per_page` of a list. */
export function perPageParameter({ default: usual, max }: PageSize) {
  return clampedInteger({ default: usual, min: 1, max }).describe(
    `Entries on a page: ${usual} when left out, ${max} at most; a number out of range is clamped.`,
  )
}

/** The query parameters of a list that is read by offset. */
export function pageParameters(size = MERCHANTS_PAGE) {
  return { page: PageParameter, per_page: perPageParameter(size) }
}

/** The field `perPage` of a reply. */
export const PerPage = z.int().positive().describe('Entries per page, after `per_page` was clamped.')

/**
 * The query parameters of a list, the latest first, that can also be continued after the id of the last entry of a
 * page.
 */
export function latestFirstParameters() {
  return {
    before_id: optionalFilter(z.string().max(200)).describe('`nextBeforeId` of the page before; it replaces `page`.'),
    ...pageParameters(),
  }
}

/** How many entries come before a page. @param cursor where the page begins, which replaces the number of the page */
export function offsetOf({ page, per_page: perPage }: PageQuery, cursor: unknown): number {
  return cursor === undefined ? (page - 1) * perPage : 0
}

/** The fields of a reply that is one page of a list that is read by offset or by a cursor that counts no pages. */
export const requestedPageFields = {
  page: z.int().positive().describe('`page` of the request, after it was clamped; 1 when left out.'),
  perPage: PerPage,
}

/** The fields of a reply that is one page of a list, the latest first. */
export const latestFirstFields = {
  ...requestedPageFields,
  nextBeforeId: z.string().optional().describe('Send it as `before_id` for the next page; left out on the last.'),
}

/**
 * Cuts a page of such a list out of the rows that were found.
 * @param found one entry more than a page holds, if there is another page
 * @param query the page, and how many entries it holds
 */
export function latestFirstPage<Entry extends { id: number | string }>(
  found: readonly Entry[],
  { page, per_page: perPage }: PageQuery,
) {
  const items = found.slice(0, perPage)
  const nextBeforeId: Entry['id'] | undefined = found.length > items.length ? items.at(-1)?.id : undefined
  return { items, page, perPage, ...(nextBeforeId !== undefined && { nextBeforeId }) }
}

/** The fields of a reply that is one page of a list that is read by offset. */
export const pageFields = {
  page: z.int().positive().describe('Number of this page, after `page` was clamped.'),
  perPage: PerPage,
}

/** The query parameter of a filter of a list: left out or empty, it is no filter. */
export function optionalFilter<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (text === '' ? undefined : text), schema.optional()).optional()
}

/**
 * The two query parameters of a list that limit it to a period; an empty one counts as absent.
 * @param what happened in that period, as a participle
 */
export function periodParameters(what: string) {
  return {
    from: optionalFilter(Moment).describe(
      `${what} at this time or later; a date means the beginning of that day in UTC.`,
    ),
    to: optionalFilter(PeriodEnd).describe(`${what} before this time; a date means the end of that day in UTC.`),
  }
}

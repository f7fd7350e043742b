import type { PersonalRecord } from './request-records.ts'

/** The names of the other services' records. */
const KINDS: readonly string[] = ['order', 'draft-order', 'cart', 'review', 'purchase', 'alert', 'mail']

/** Sorts the records by kind; those of an unknown kind are in `other`. */
export function recordsByKind(records: readonly PersonalRecord[]) {
  const of = (wanted: string) => records.flatMap(({ kind, record }) => (kind === wanted ? [record] : []))
  return {
    orders: of('order'),
    draftOrders: of('draft-order'),
    carts: of('cart'),
    reviews: of('review'),
    purchases: of('purchase'),
    alerts: of('alert'),
    mails: of('mail'),
    other: records.filter(({ kind }) => !KINDS.includes(kind)),
  }
}

import { pageOf, type Filters } from '../../parts/filters.ts'
import { isDay, startOfDay } from '../../parts/local-time.ts'

export const STATUSES = ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] as const
export const PAYMENTS = ['pending', 'authorized', 'captured', 'failed', 'partially_refunded', 'refunded'] as const
export const FULFILMENTS = ['unfulfilled', 'fulfilled', 'delivered'] as const
export const ATTENTIONS = ['1', 'out_of_stock', 'amount_mismatch', 'refund_due'] as const
export const SORTS = ['attention', 'newest', 'oldest', 'total-desc', 'total-asc'] as const
/** An export is sorted only by values of an order that never change. */
const EXPORT_SORTS = ['newest', 'oldest', 'total-desc', 'total-asc'] as const

const PER_PAGE = 50
/** The shop rejects longer ones. */
export const MAX_TAG_LENGTH = 40

/** The filters that narrow the list, in the order in which they are shown. */
export const NARROWING = [
  'status',
  'payment',
  'fulfilment',
  'attention',
  'tag',
  'country',
  'from',
  'to',
  'customer',
] as const
export type Narrowing = (typeof NARROWING)[number]

const OF_VIEWS = ['status', 'payment', 'fulfilment', 'attention', 'sort'] as const

export const VIEWS = [
  { name: 'all', filters: {} },
  { name: 'toPack', filters: { status: 'paid', sort: 'oldest' } },
  { name: 'attention', filters: { attention: '1' } },
  { name: 'refundsDue', filters: { attention: 'refund_due' } },
  { name: 'unpaid', filters: { status: 'placed' } },
  { name: 'onTheWay', filters: { status: 'fulfilled' } },
] as const
export type View = (typeof VIEWS)[number]

/** @returns the filters with those of the view; search, country and period stay */
export function filtersOfView(filters: Filters, view: View): Filters {
  const names: readonly string[] = [...OF_VIEWS, 'page']
  const others = Object.entries(filters).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(others), ...view.filters }
}

/** Whether the list shows this view, in any sort. */
export function isView(filters: Filters, view: View): boolean {
  const wanted: Filters = view.filters
  return OF_VIEWS.every((name) => name === 'sort' || filters[name] === wanted[name])
}

/** What the list is requested with. The address bar may hold anything: what the shop does not know is left out. */
export function listQueryOf(filters: Filters) {
  return {
    ...filterQueryOf(filters),
    sort: known(SORTS, filters['sort']),
    page: pageOf(filters),
    per_page: PER_PAGE,
  }
}

/** The same filters for the export. */
export function exportQueryOf(filters: Filters): Filters {
  const query = { ...filterQueryOf(filters), sort: known(EXPORT_SORTS, filters['sort']) }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

function filterQueryOf({ q = '', tag = '', country = '', customer = '', from, to, ...filters }: Filters) {
  return {
    q,
    tag: tag.slice(0, MAX_TAG_LENGTH),
    country,
    customer,
    status: known(STATUSES, filters['status']),
    payment: known(PAYMENTS, filters['payment']),
    fulfilment: known(FULFILMENTS, filters['fulfilment']),
    attention: known(ATTENTIONS, filters['attention']),
    // The shop's days are those of UTC; a merchant means days where they are.
    from: isDay(from) ? startOfDay(from) : '',
    to: isDay(to) ? startOfDay(to, 1) : '',
  }
}

/** @returns the value if it is one of those, otherwise an empty one, which the shop ignores */
function known<Value extends string>(values: readonly Value[], text: string | undefined): Value | '' {
  return values.find((value) => value === text) ?? ''
}

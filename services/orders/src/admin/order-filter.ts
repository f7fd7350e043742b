import { z } from 'zod'
import { countryCodeOf, OrderAttention, OrderStatus, PaymentStatus, readEmailAddress } from '@storefront/contracts'
import { isFlagSet, periodParameters } from '@storefront/http'
import { invalidStatus } from '../errors.ts'
import { MAX_TAG_LENGTH, tagKey } from './tags.ts'

/** How many characters of the input an error repeats. */
const SHOWN_CHARACTERS = 50

export const FULFILMENTS = ['unfulfilled', 'fulfilled', 'delivered'] as const
type Fulfilment = (typeof FULFILMENTS)[number]

/** The fulfillment state follows from the order's status; a canceled order has none. */
const STATUSES_OF: Record<Fulfilment, readonly OrderStatus[]> = {
  unfulfilled: ['placed', 'paid'],
  fulfilled: ['fulfilled'],
  delivered: ['delivered'],
}

const ANY_ATTENTION = ['1', 'true'] as const
const NO_ATTENTION_FILTER = ['0', 'false'] as const

/** The filters of lists and exports of orders; an empty value does not filter. */
export const OrderFilterQuery = z.object({
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe(
      'Number, id, email address, name, postal code, SKUs, products, variant ids, discount code, payment reference or tracking ' +
        'code: every word must match a word or the beginning of one.',
    ),
  status: z
    .string()
    .max(50)
    .optional()
    .describe(`One of ${OrderStatus.options.join(', ')}.`),
  payment: oneOf(PaymentStatus.options).describe('Status of the payment.'),
  fulfilment: oneOf(FULFILMENTS).describe(
    'unfulfilled: placed or paid, still to be sent. fulfilled: sent and not delivered yet. delivered: delivered. A canceled order ' +
      'is none of these.',
  ),
  customer: z
    .string()
    .trim()
    .max(320)
    .refine((text) => text === '' || isCustomerId(text) || readEmailAddress(text) !== undefined, {
      error: ({ input }) => `must be the id of a customer, such as cus_…, or an email address, ${notTheInput(input)}`,
    })
    .optional()
    .describe(
      'Id of a customer, for the orders that this customer sees, including guest orders with a verified address; or an email ' +
        'address, for all orders with it.',
    ),
  country: z
    .string()
    .max(100)
    .refine((text) => text.trim() === '' || countryCodeOf(text) !== undefined, {
      error: ({ input }) => `must be an ISO 3166-1 alpha-2 code such as GB, ${notTheInput(input)}`,
    })
    .optional()
    .describe('Country of the delivery address, as an ISO 3166-1 alpha-2 code in upper or lower case.'),
  attention: oneOf([...ANY_ATTENTION, ...OrderAttention.options, ...NO_ATTENTION_FILTER]).describe(
    '1: all orders that need attention; or one reason for it.',
  ),
  tag: z.string().trim().max(MAX_TAG_LENGTH).optional().describe('A tag of the order, in upper or lower case.'),
  ...periodParameters('Placed'),
})

/** A field that is missing or undefined is not a condition. */
export interface OrderFilter {
  statuses?: readonly OrderStatus[] | undefined
  q?: string | undefined
  payment?: PaymentStatus | undefined
  /** An address in canonical form. */
  customer?: { id: string } | { email: string } | undefined
  country?: string | undefined
  attention?: OrderAttention | 'any' | undefined
  /** In the form in which tags are compared. */
  tag?: string | undefined
  from?: Date | undefined
  before?: Date | undefined
}

/**
 * Builds the filter from a query.
 * @returns it without its `status`, which the counts by status ignore
 * @throws HttpError `invalid_status`
 */
export function filterOf(query: z.output<typeof OrderFilterQuery>): {
  filter: OrderFilter
  status: OrderStatus | undefined
} {
  const { q, payment, fulfilment, customer, country, attention, tag, from, to } = query
  return {
    status: isGiven(query.status) ? statusOf(query.status) : undefined,
    filter: {
      statuses: isGiven(fulfilment) ? STATUSES_OF[fulfilment] : undefined,
      q: isGiven(q) ? q : undefined,
      payment: isGiven(payment) ? payment : undefined,
      customer: isGiven(customer) ? customerOf(customer) : undefined,
      country: countryCodeOf(country ?? ''),
      attention: attentionOf(attention),
      tag: isGiven(tag) ? tagKey(tag) : undefined,
      from: from === undefined ? undefined : new Date(from),
      before: to === undefined ? undefined : new Date(to),
    },
  }
}

/**
 * Combines the filter with the requested status.
 * @returns undefined when no order can match, because the status contradicts the fulfillment filter
 */
export function ofStatus(filter: OrderFilter, status: OrderStatus | undefined): OrderFilter | undefined {
  if (status === undefined) return filter
  return filter.statuses?.includes(status) === false ? undefined : { ...filter, statuses: [status] }
}

/** A query parameter with a fixed set of values; an empty one counts as absent. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z
    .enum(['', ...values], { error: ({ input }) => `must be one of ${values.join(', ')}, ${notTheInput(input)}` })
    .optional()
}

export function isGiven<Value extends string>(value: Value | '' | undefined): value is Value {
  return value !== undefined && value !== ''
}

/** @throws HttpError `invalid_status` */
export function statusOf(text: string): OrderStatus {
  const parsed = OrderStatus.safeParse(text)
  if (!parsed.success) throw invalidStatus(text, OrderStatus.options)
  return parsed.data
}

function attentionOf(value: z.output<typeof OrderFilterQuery>['attention']): OrderFilter['attention'] {
  if (isFlagSet(value)) return 'any'
  return OrderAttention.safeParse(value).data
}

function customerOf(text: string): { id: string } | { email: string } {
  return isCustomerId(text) ? { id: text } : { email: readEmailAddress(text)?.canonical ?? '' }
}

function isCustomerId(text: string): boolean {
  return text.startsWith('cus_') && !text.includes('@')
}

/** The end of a message about a query parameter, which repeats the beginning of the input. */
export function notTheInput(input: unknown): string {
  return `not ${JSON.stringify(String(input).slice(0, SHOWN_CHARACTERS))}`
}

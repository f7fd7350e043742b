import { z } from 'zod'
import { formatMoney, Money } from '@storefront/contracts'
import type { StepKind } from './timeline.queries.ts'

/** What details of steps may carry; each is left out of the sentence when it is not there. */
const Detail = z.object({
  amount: z.int().optional().catch(undefined),
  currency: z.string().optional().catch(undefined),
  provider: z.string().optional().catch(undefined),
  carrier: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  attention: z.string().optional().catch(undefined),
})

interface Words {
  /** Such as ` of $336.00`, or nothing; so are the others. */
  sum: string
  by: string
  parcel: string
  why: string
}

const LABELS: Record<StepKind, (words: Words) => string> = {
  placed: () => 'The order was placed.',
  payment_authorized: ({ sum, by }) => `A payment${sum} was authorized${by}.`,
  payment_captured: ({ sum, by }) => `A payment${sum} came in${by}.`,
  payment_failed: ({ sum, by }) => `A payment${sum} failed${by}.`,
  payment_duplicate: ({ sum, by }) => `Another payment${sum} came in${by}, and is to be given back.`,
  paid: () => 'The order is paid.',
  fulfilled: () => 'The order was sent.',
  delivered: () => 'The order was delivered.',
  cancelled: () => 'The order was cancelled.',
  tracking: ({ parcel }) => `The tracking of the parcel was changed${parcel}.`,
  restocked: () => 'The goods are for sale again.',
  refund_requested: ({ sum }) => `A refund${sum} was asked for.`,
  refund_succeeded: ({ sum }) => `A refund${sum} was made.`,
  refund_failed: ({ sum }) => `A refund${sum} failed.`,
  attention: ({ why }) => `Somebody has to look at the order${why}.`,
  attention_cleared: () => 'Somebody has looked at the order.',
}

/**
 * A step in a sentence, for a merchant who reads the timeline.
 * @param locale of the order, for its amounts
 */
export function labelOf(kind: StepKind, detail: Record<string, unknown>, locale: string): string {
  const { amount, currency, provider, carrier, code, attention } = Detail.parse(detail)
  const money = Money.safeParse({ amount, currency })
  const parcel = [carrier, code].filter((part) => part !== undefined && part !== '').join(' ')
  return LABELS[kind]({
    sum: money.success ? ` of ${formatMoney(money.data, locale)}` : '',
    by: provider === undefined ? '' : ` by ${provider}`,
    parcel: parcel === '' ? '' : ` to ${parcel}`,
    why: attention === undefined ? '' : `: ${attention.replaceAll('_', ' ')}`,
  })
}

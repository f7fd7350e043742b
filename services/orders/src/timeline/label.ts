import { z } from 'zod'
import { formatMoney, Money } from '@storefront/contracts'

/** The details that an entry may have; a missing one is left out of the sentence. */
const Detail = z.object({
  amount: z.int().optional().catch(undefined),
  currency: z.string().optional().catch(undefined),
  provider: z.string().optional().catch(undefined),
  carrier: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  attention: z.string().optional().catch(undefined),
  number: z.string().optional().catch(undefined),
  lines: z
    .array(z.object({ title: z.string(), quantity: z.int() }))
    .optional()
    .catch(undefined),
})

interface Words {
  /** Such as ` of $336.00`, or empty; so are the others. */
  sum: string
  by: string
  parcel: string
  tracked: string
  why: string
  number: string
  /** Such as `1 × Linen shirt`, or empty. */
  units: string
  /** The same as ` for 1 × Linen shirt`. */
  forUnits: string
}

const LABELS = {
  placed: () => 'The order was placed.',
  drafted: () => 'The order was made from a draft order.',
  payment_authorized: ({ sum, by }) => `A payment${sum} was authorized${by}.`,
  payment_captured: ({ sum, by }) => `A payment${sum} was received${by}.`,
  payment_failed: ({ sum, by }) => `A payment${sum} failed${by}.`,
  // A second payment for the same order, which is refunded.
  payment_duplicate: ({ sum, by }) => `Another payment${sum} was received${by} and must be refunded.`,
  paid: () => 'The order is paid.',
  parcel: ({ tracked }) => `A part of the order was sent${tracked}.`,
  fulfilled: () => 'The order was sent.',
  delivered: () => 'The order was delivered.',
  cancelled: () => 'The order was canceled.',
  tracking: ({ parcel }) => `The tracking of the parcel was changed${parcel}.`,
  restocked: ({ units }) => (units === '' ? 'The goods are for sale again.' : `For sale again: ${units}.`),
  refund_requested: ({ sum, forUnits }) => `A refund${sum}${forUnits} was requested.`,
  refund_succeeded: ({ sum, forUnits }) => `A refund${sum}${forUnits} was made.`,
  refund_failed: ({ sum, forUnits }) => `A refund${sum}${forUnits} failed.`,
  attention: ({ why }) => `The order needs attention${why}.`,
  attention_cleared: () => 'The order was checked by a person.',
  note: () => 'A note was written.',
  note_deleted: () => 'A note was deleted.',
  tags: () => 'The tags were changed.',
  invoice: ({ number }) => `The invoice${number} was issued.`,
} satisfies Record<string, (words: Words) => string>

export type StepKind = keyof typeof LABELS

/** A timeline entry as a sentence, for a merchant. @param locale of the order, for its amounts */
export function labelOf(kind: StepKind, detail: Record<string, unknown>, locale: string): string {
  const { amount, currency, provider, carrier, code, attention, number, lines = [] } = Detail.parse(detail)
  const money = Money.safeParse({ amount, currency })
  const parcel = [carrier, code].filter((part) => part !== undefined && part !== '').join(' ')
  const units = lines.map(({ title, quantity }) => `${quantity} × ${title}`).join(', ')
  return LABELS[kind]({
    sum: money.success ? ` of ${formatMoney(money.data, locale)}` : '',
    by: provider === undefined ? '' : ` by ${provider}`,
    parcel: parcel === '' ? '' : ` to ${parcel}`,
    tracked: parcel === '' ? '' : ` (${parcel})`,
    why: attention === undefined ? '' : `: ${attention.replaceAll('_', ' ')}`,
    number: number === undefined ? '' : ` ${number}`,
    units,
    forUnits: units === '' ? '' : ` for ${units}`,
  })
}

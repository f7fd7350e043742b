import { z } from 'zod'
import { NamedActor } from '../activity.ts'
import { OpaqueId } from '../ids.ts'
import { Money } from '../money.ts'
import { Address } from './address.ts'
import { amountFields, CartLine, MAX_LINE_QUANTITY } from './cart.ts'
import { Timestamp } from './common.ts'

/** `open`: the buyer has no link yet. `ordered`: the buyer has checked out, which ends the draft. */
export const DRAFT_ORDER_STATUSES = ['open', 'sent', 'ordered', 'cancelled'] as const
export const DraftOrderStatus = z.enum(DRAFT_ORDER_STATUSES)
export type DraftOrderStatus = z.output<typeof DraftOrderStatus>

export const DraftOrderLine = z
  .object({
    variantId: OpaqueId.describe("`id` of one of a product's `variants`; each once."),
    quantity: z.int().min(1).max(MAX_LINE_QUANTITY).describe('Quantity of the variant, 1 to 999.'),
  })
  .meta({ id: 'DraftOrderLine' })
export type DraftOrderLine = z.output<typeof DraftOrderLine>

/** What a draft order costs, computed as for a cart. */
export const DraftOrderQuote = z
  .object({
    currency: z.string().describe('ISO 4217 code of every amount: the currency of the shop.'),
    lines: z.array(CartLine).describe('The items with their names and prices, in the order in which they were added.'),
    ...amountFields,
  })
  .meta({ id: 'DraftOrderQuote' })
export type DraftOrderQuote = z.output<typeof DraftOrderQuote>

const common = {
  id: z.string().describe('Identifies the draft order in paths.'),
  status: DraftOrderStatus.describe('`open`, then `sent` with a payment link; `ordered` or `cancelled` in the end.'),
  email: z.string().describe('Where the payment link and the mails about the order go; empty while it is not known.'),
  createdAt: Timestamp.describe('When it was created.'),
  createdBy: z.string().describe('Id of the admin user or of the secret key that created it.'),
  by: NamedActor.optional().describe('Name of that actor.'),
  sentAt: Timestamp.optional().describe('When the current payment link was made; left out until there is one.'),
  expiresAt: Timestamp.optional().describe('Until when the current payment link works.'),
  order: z
    .object({
      id: z.string().describe('Id of the order.'),
      number: z.string().describe('Number of the order, for display.'),
    })
    .optional()
    .describe('The order that it became.'),
}

/** A draft order in a list, with what it cost when it was last saved or sent. */
export const DraftOrderSummary = z
  .object({
    ...common,
    name: z.string().describe('Who receives the parcel; may be empty.'),
    total: Money.describe('What the buyer pays, as computed when the draft was last saved or sent.'),
    items: z.int().nonnegative().describe('Sum of the quantities.'),
  })
  .meta({ id: 'DraftOrderSummary' })
export type DraftOrderSummary = z.output<typeof DraftOrderSummary>

/** An order that a merchant has made for a buyer, who pays it through a link. */
export const DraftOrder = z
  .object({
    ...common,
    shippingAddress: Address.describe('Delivery address; it must be complete before a payment link is made.'),
    shippingMethod: z.string().describe('Id from `commerce.shippingMethods`; empty for the first one.'),
    discountCode: z.string().describe('Discount code, in upper case; empty for none.'),
    note: z.string().describe("For the shop's staff; the buyer never sees it."),
    lines: z.array(DraftOrderLine).describe('What the buyer gets.'),
    quote: DraftOrderQuote.describe(
      'What it costs now, which is what the buyer would pay. If it has a `problem`, or the order exists: what it cost before.',
    ),
    problem: z
      .object({
        code: z.string().describe('The code of the error, such as `invalid_discount`.'),
        message: z.string().describe('What is wrong, in a sentence.'),
      })
      .optional()
      .describe('Why it cannot be bought as it is, such as a product that was withdrawn; left out if it can.'),
  })
  .meta({ id: 'DraftOrder' })
export type DraftOrder = z.output<typeof DraftOrder>

/** A draft order as its buyer sees it: without who made it, and what the shop's staff wrote about it. */
export const BuyerDraftOrder = DraftOrder.omit({ createdBy: true, by: true, note: true, lines: true, problem: true })
  .extend({ quote: DraftOrderQuote.describe('What it cost when it was last saved or sent.') })
  .meta({ id: 'BuyerDraftOrder' })
export type BuyerDraftOrder = z.output<typeof BuyerDraftOrder>

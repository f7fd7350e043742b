import { z } from 'zod'
import { NamedActor } from '../activity.ts'
import { Money } from '../money.ts'
import { Address } from './address.ts'
import { Timestamp } from './common.ts'

/** A person who has ordered, with or without an account. */
export const Buyer = z
  .object({
    id: z.string().describe('Id of the buyer, `buyer_…`.'),
    email: z.string().describe('The email address, as it was typed in the latest order.'),
    name: z.string().describe('The recipient of the latest order; may be empty.'),
    customerId: z
      .string()
      .optional()
      .describe('The account that placed the latest order of an account; left out for guests.'),
    orders: z.int().nonnegative().describe('Number of orders that were not canceled.'),
    revenue: z
      .array(Money)
      .describe(
        'What was paid less what was refunded, and 0 if that is more, for each currency; that of the latest order first.',
      ),
    firstOrderAt: Timestamp.describe('When the first order was placed.'),
    lastOrderAt: Timestamp.describe('When the latest order was placed.'),
    tags: z.array(z.string()).describe("Words of the shop's staff, which buyers never see."),
  })
  .meta({ id: 'Buyer' })
export type Buyer = z.output<typeof Buyer>

/** What the shop's staff wrote about a buyer. */
export const BuyerNote = z
  .object({
    id: z.string().describe('Id of the note.'),
    at: Timestamp.describe('When it was written.'),
    author: z.string().describe('Id of the admin user or of the secret key.'),
    by: NamedActor.optional().describe('Name of the author.'),
    text: z.string().describe('Plain text, which buyers never see.'),
  })
  .meta({ id: 'BuyerNote' })
export type BuyerNote = z.output<typeof BuyerNote>

/** A buyer with what the page of one shows. */
export const BuyerDetails = Buyer.extend({
  addresses: z.array(Address).describe('Where the latest 50 orders were sent, each address once, the latest first.'),
  notes: z.array(BuyerNote).describe('The latest first, up to 200.'),
}).meta({ id: 'BuyerDetails' })
export type BuyerDetails = z.output<typeof BuyerDetails>

import { z } from 'zod'
import { ALERT_MAIL_KINDS } from '../mail-kinds.ts'
import { Money } from '../money.ts'
import { Ok, Picture, Timestamp } from './common.ts'

export const AlertMailKind = z.enum(ALERT_MAIL_KINDS)
export type AlertMailKind = z.output<typeof AlertMailKind>

/** What a shopper waits for. */
export const AlertKind = z.enum(['back-in-stock', 'price-drop'])
export type AlertKind = z.output<typeof AlertKind>

/** What a mail about an alert shows of the product, or of its variant. */
export const AlertedProduct = z.object({
  slug: z.string(),
  title: z.string(),
  /** Of the variant; empty when the alert is about the product. */
  options: z.record(z.string(), z.string()),
  image: Picture,
  price: Money,
})
export type AlertedProduct = z.output<typeof AlertedProduct>

export const AlertConfirmation = Ok.extend({
  kind: AlertKind.describe('What the shopper waits for.'),
  product: z
    .object({
      slug: z.string().describe('Current slug of the product.'),
      title: z.string().describe('Title of the product.'),
    })
    .nullable()
    .describe('The product of the alert; null while it is not published.'),
}).meta({ id: 'AlertConfirmation' })
export type AlertConfirmation = z.output<typeof AlertConfirmation>

/** As an export of personal data shows it. */
export const AlertRecord = z
  .object({
    kind: AlertKind.describe('What the person waits for.'),
    productSlug: z.string().describe('Current slug of the product.'),
    variantId: z.string().optional().describe('The variant to wait for; missing in an alert about the price.'),
    createdAt: Timestamp.describe('When it was requested.'),
    confirmedAt: Timestamp.optional().describe('When the link in the mail was opened; missing until then.'),
    sentAt: Timestamp.optional().describe('When the mail that ended it was requested; missing until then.'),
  })
  .meta({ id: 'AlertRecord' })
export type AlertRecord = z.output<typeof AlertRecord>

import { z } from 'zod'
import { Order, Refund } from '@storefront/contracts'

/** What the row of a mail about an order holds. The refund is there in the mail `refunded`. */
export const OrderMailData = z.object({ order: Order, locale: z.string(), refund: Refund.optional() })
export type OrderMailData = z.output<typeof OrderMailData>

/** What a mail about an order is written from. */
export interface OrderMailSource extends OrderMailData {
  /** Where its reader can open the order. It holds a capability, which no row does. */
  url?: string | undefined
}

/** What a mail about an account is written from. */
export interface AccountMailData {
  name?: string | undefined
  link?: MailLink | undefined
}

/** Where the one button of a mail leads: a secret. No template ever gets it. */
export interface MailLink {
  url: string
  expiresAt: Date | undefined
}

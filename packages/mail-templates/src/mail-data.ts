import { z } from 'zod'
import { currentOrder, currentRefund, RecordedOrder, RecordedRefund } from '@storefront/contracts'

/** What the row of a mail about an order holds. The refund is there in the mail `refunded`. */
export const OrderMailData = z
  .object({ order: RecordedOrder, locale: z.string(), refund: RecordedRefund.optional() })
  .transform(({ order, locale, refund }) => ({
    order: currentOrder(order),
    locale,
    ...(refund && { refund: currentRefund(refund, order.total.currency) }),
  }))
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

import { z } from 'zod'
import {
  AlertedProduct,
  AlertKind,
  currentOrder,
  currentRefund,
  inOptionOrder,
  Money,
  RecordedOrder,
  RecordedRefund,
} from '@storefront/contracts'

/** The stored data of a mail about an order. The refund is present in the mail `refunded`. */
export const OrderMailData = z
  .object({ order: RecordedOrder, locale: z.string(), refund: RecordedRefund.optional() })
  .transform(({ order, locale, refund }) => ({
    order: currentOrder(order),
    locale,
    ...(refund && { refund: currentRefund(refund, order.total.currency) }),
  }))
export type OrderMailData = z.output<typeof OrderMailData>

/** The data that a mail about an order is rendered from. */
export interface OrderMailSource extends OrderMailData {
  /** Where the recipient can open the order. It holds a capability, which is never stored in a row. */
  url?: string | undefined
}

/** The stored data of a mail about an alert. The former price is present in the mail `priceDrop`. */
export const AlertMailData = z
  .object({
    about: AlertKind,
    product: AlertedProduct,
    /** Of the variant, in the order of the product's options, which JSON in a database does not keep. */
    optionNames: z.array(z.string()).optional(),
    formerPrice: Money.optional(),
  })
  .transform(({ product, optionNames = [], ...data }) => ({
    ...data,
    product: { ...product, options: inOptionOrder(product.options, optionNames) },
  }))
export type AlertMailData = z.output<typeof AlertMailData>

/** The data that a mail about an alert is rendered from. */
export interface AlertMailSource extends AlertMailData {
  productUrl: string
  /** The targets of its fixed links, which are secrets. No template ever gets them. */
  unsubscribeUrl: string
  confirm?: MailLink | undefined
}

/** The data that a mail about an account is rendered from. */
export interface AccountMailData {
  name?: string | undefined
  link?: MailLink | undefined
}

/** The target of the button, which is a secret. No template ever gets it. */
export interface MailLink {
  url: string
  expiresAt: Date | undefined
}

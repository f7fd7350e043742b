import type { Encryption, Stoppable } from '@storefront/service'
import type { Browsers } from '@storefront/http'
import type { Connections } from '@storefront/service-start'
import type { PageClosings } from './sessions/page-closings.ts'
import type { UnpaidLimits } from './sessions/unpaid-limits.ts'
import type { OrderLinks } from './access/order-links.ts'
import type { PaymentLinks } from './drafts/payment-links.ts'
import type { OrdersTables } from './database.ts'
import type { PaymentProviders } from './payments/providers.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface OrdersContext extends Connections<OrdersTables> {
  browsers: Browsers
  /** Public address of the shop, with the base path. */
  publicUrl: string
  /** Origins that a buyer may be redirected to. */
  storefrontOrigins: ReadonlySet<string>
  reservationTtlSeconds: number
  paymentSessionTtlSeconds: number
  pageClosings: PageClosings
  /** The public half of the Razorpay key, where the storefront configuration has none. */
  razorpayKeyId: string | undefined
  /** The credentials that the providers use, which are kept up to date. */
  credentials: Stoppable
  /** By name; a provider that is missing here does not exist. */
  providers: PaymentProviders
  /** For stored responses that may open an order; none without SECRETS_KEY. */
  responseEncryption: Encryption | undefined
  /** The capabilities in links of mails. */
  orderLinks: OrderLinks
  /** The tokens of the payment links of draft orders. */
  paymentLinks: PaymentLinks
  paymentLinkDays: number
  /** Where Razorpay's own page is, for payment links. */
  razorpayUrl: string
  /** Whether real people buy here: then a warning is logged about demo features. */
  isProduction: boolean
  unpaidLimits: UnpaidLimits
  /** Whether lookups of one order are limited. */
  lookupsAreLimited: boolean
}

import type { ActorVerifier, Browsers, Clock, Log, Messaging, Seal } from '@storefront/chassis'
import type { UnpaidLimits } from './sessions/unpaid-limits.ts'
import type { OrderLinks } from './access/order-links.ts'
import type { Database } from './database.ts'
import type { PaymentProviders } from './payments/providers.ts'

/** What the operations of this service are given; each names the part it needs. */
export interface OrdersContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  browsers: Browsers
  /** Address of the shop as its customers write it, with the base path. */
  publicUrl: string
  /** Where the pages lie that a buyer may be sent back to. */
  storefrontOrigins: ReadonlySet<string>
  reservationTtlSeconds: number
  paymentSessionTtlSeconds: number
  /** The public half of the Razorpay key, where the storefront configuration names none. */
  razorpayKeyId: string | undefined
  /** By their names; one that is not here is not known at all. */
  providers: PaymentProviders
  /** For answers that are kept and may open an order; none without SECRETS_KEY. */
  answerSeal: Seal | undefined
  /** The capabilities in links of mails. */
  orderLinks: OrderLinks
  /** Whether real people buy here: what is made for trying out is warned of then. */
  isProduction: boolean
  unpaidLimits: UnpaidLimits
  /** Whether lookups of one order are counted. */
  lookupsAreLimited: boolean
}

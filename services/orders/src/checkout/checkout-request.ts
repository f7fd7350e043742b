import type { Client } from '@storefront/http'
import type { CheckoutDetails } from './checkout-body.ts'

export interface CheckoutRequest {
  cartId: string
  details: CheckoutDetails
  actorToken: string | undefined
  /** The customer who is signed in, if any. */
  customerId: string | undefined
  buyer: Client
  /** Secrets that open the order for the browser that places it. */
  secrets: readonly string[]
}

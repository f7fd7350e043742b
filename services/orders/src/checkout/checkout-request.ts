import type { z } from 'zod'
import type { Money, QuoteCart } from '@storefront/contracts'
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
  /** Of a request that the gateway repeats: the secret of its key, which the replica that is gone has stored. */
  secretOfLost?: string
  /** The total that the buyer has seen: no other one is charged. */
  seenTotal?: Money
  /** Of a draft order, which has no cart: `cartId` is the id of the draft. */
  goods?: z.output<typeof QuoteCart.request>['goods']
  /** Of the draft order with these goods. */
  draftVersion?: number
}

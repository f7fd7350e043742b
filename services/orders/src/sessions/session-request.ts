import type { Quote } from '@storefront/contracts'
import type { CheckoutRequest } from '../checkout/checkout-request.ts'
import type { PaymentProvider } from '../payments/provider.ts'

export interface SessionRequest {
  request: CheckoutRequest
  quote: Quote
  provider: PaymentProvider
}

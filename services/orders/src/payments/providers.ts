import type { Quote } from '@storefront/contracts'
import { checkoutModeUnavailable } from '../errors.ts'
import type { PaymentProvider } from './provider.ts'

export type PaymentProviders = ReadonlyMap<string, PaymentProvider>

/** The checkout mode of a shop: an order at once, or a payment session that becomes one. */
export type PaymentFlow = { kind: 'order'; provider: string } | { kind: 'session'; provider: PaymentProvider }

/** Providers whose orders are paid later, without a payment page: the client expects an order and no redirect. */
export const PAID_WITHOUT_PAGE: ReadonlySet<string> = new Set(['demo', 'invoice'])

/** Whether the buyer is led to another page, and back to the storefront: also when there is nothing to pay. */
export function leadsBack(flow: PaymentFlow): boolean {
  return flow.kind === 'session' || !PAID_WITHOUT_PAGE.has(flow.provider)
}

/**
 * Derives the mode of a checkout from the storefront configuration.
 * @throws HttpError `service_unavailable` for a mode or a provider that is unknown or not configured
 */
export function paymentFlowOf(providers: PaymentProviders, terms: Quote['terms']): PaymentFlow {
  const { checkoutMode, checkoutProvider, razorpayKeyId } = terms
  switch (checkoutMode) {
    case 'demo':
      return { kind: 'order', provider: 'demo' }
    case 'api':
      // The merchant has to choose a mode first.
      return { kind: 'order', provider: 'invoice' }
    case 'redirect':
      // Razorpay opens a form in the storefront, so there is no page to redirect to.
      if (checkoutProvider === 'razorpay') throw checkoutModeUnavailable({ mode: checkoutMode, provider: 'razorpay' })
      return { kind: 'session', provider: configured(providers, checkoutMode, checkoutProvider) }
    case 'razorpay':
      if (razorpayKeyId === undefined) throw checkoutModeUnavailable({ mode: checkoutMode, missing: 'razorpayKeyId' })
      return { kind: 'session', provider: configured(providers, checkoutMode, 'razorpay') }
    default:
      throw checkoutModeUnavailable({ mode: checkoutMode })
  }
}

/** The key of the operator, who takes payments for the merchant, is used where the merchant has none. */
export function withOperatorKey(terms: Quote['terms'], razorpayKeyId: string | undefined): Quote['terms'] {
  return razorpayKeyId === undefined ? terms : { razorpayKeyId, ...terms }
}

function configured(providers: PaymentProviders, mode: string, name: string): PaymentProvider {
  const provider = providers.get(name)
  if (provider === undefined) throw checkoutModeUnavailable({ mode, provider: name, reason: 'unknown provider' })
  if (!provider.isConfigured()) throw checkoutModeUnavailable({ mode, provider: name, reason: 'not configured' })
  return provider
}

/** Providers that can refund; other payments were taken by hand. */
export const PAYMENT_PROVIDERS: ReadonlySet<string> = new Set(['demo', 'razorpay', 'stripe'])

export function isPaymentProvider(name: string): boolean {
  return PAYMENT_PROVIDERS.has(name)
}

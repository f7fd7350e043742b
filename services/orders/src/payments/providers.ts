import type { PaymentProvider } from './provider.ts'

/** Providers by their names. */
export type PaymentProviders = ReadonlyMap<string, PaymentProvider>

/** The provider that is asked for the money, by the storefront's checkout mode; `invoice` waits for the merchant. */
const PROVIDERS = new Map([
  ['demo', 'demo'],
  ['api', 'invoice'],
])

export function providerOfMode(checkoutMode: string): string | undefined {
  return PROVIDERS.get(checkoutMode)
}

/** Providers that can be asked to give money back; any other was paid by hand. */
const PAYMENT_PROVIDERS: ReadonlySet<string> = new Set(['demo', 'razorpay', 'stripe'])

export function isPaymentProvider(name: string): boolean {
  return PAYMENT_PROVIDERS.has(name)
}

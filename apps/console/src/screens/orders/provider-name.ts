import type { TFunction } from 'i18next'

const NAMED = ['demo', 'stripe', 'razorpay', 'invoice', 'manual', 'none'] as const

/** How people call a payment provider; a name that the merchant gave stays as it is. */
export function providerName(provider: string, t: TFunction): string {
  const named = NAMED.find((one) => one === provider)
  return named ? t(`orders.provider.${named}`) : provider
}

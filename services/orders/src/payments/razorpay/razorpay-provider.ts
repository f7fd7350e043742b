import type { PaymentProvider } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import { updateOfForm } from './razorpay-form.ts'
import { razorpayOrders } from './razorpay-orders.ts'
import { razorpayRefunds } from './razorpay-refunds.ts'
import { RAZORPAY, updateOfEvent } from './razorpay-updates.ts'
import { verifyRazorpayWebhook } from './razorpay-webhook.ts'

/**
 * Razorpay: the storefront opens its form with an order that we create there, and returns the signed result of the
 * form. Its API is called directly: for eight calls, Razorpay's own library would add another HTTP client, without
 * deadlines or size limits.
 */
export function razorpayProvider(options: {
  call: RazorpayApi
  keySecret: ProviderSecret
  webhookSecret: ProviderSecret
  known: Promise<void>
}): PaymentProvider {
  const { call, keySecret, webhookSecret, known } = options
  return {
    name: RAZORPAY,
    isConfigured: () => keySecret() !== undefined,
    ...razorpayOrders(call),
    ...razorpayRefunds(call),
    async verifyWebhook(webhook) {
      await known
      return verifyRazorpayWebhook(webhook, webhookSecret)
    },
    readWebhook: updateOfEvent,
    async verifyResult(result) {
      await known
      return updateOfForm(result, options)
    },
  }
}

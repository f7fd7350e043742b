import type { Clock } from '@storefront/service'
import type { PaymentProvider } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { StripeCall } from './stripe-client.ts'
import { stripeRefunds } from './stripe-refunds.ts'
import { stripeSessions } from './stripe-sessions.ts'
import { STRIPE, updateOfEvent } from './stripe-updates.ts'
import { verifyStripeWebhook } from './stripe-webhook.ts'

/** Stripe: the buyer pays on a page of Stripe's own. */
export function stripeProvider(options: {
  call: StripeCall
  clock: Clock
  publicUrl: string
  secretKey: ProviderSecret
  webhookSecret: ProviderSecret
  known: Promise<void>
}): PaymentProvider {
  const { call, clock, secretKey, webhookSecret, known } = options
  return {
    name: STRIPE,
    // Without the webhook the shop would not learn that the buyer has paid.
    isConfigured: () => secretKey() !== undefined && webhookSecret() !== undefined,
    ...stripeSessions(options),
    ...stripeRefunds(call),
    async verifyWebhook(webhook) {
      await known
      return verifyStripeWebhook(webhook, webhookSecret, clock.now())
    },
    readWebhook: updateOfEvent,
  }
}

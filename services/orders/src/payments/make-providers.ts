import type { Clock } from '@storefront/service'
import type { Credentials } from '@storefront/credentials'
import type { Messaging } from '@storefront/messaging'
import type { OrdersConfig } from '../config.ts'
import type { Database } from '../database.ts'
import { createDemoProvider } from './demo/demo-provider.ts'
import type { PaymentProvider } from './provider.ts'
import { providerSecret } from './provider-secret.ts'
import { razorpayApi } from './razorpay/razorpay-api.ts'
import { razorpayKeyId } from './razorpay/razorpay-key-id.ts'
import { razorpayProvider } from './razorpay/razorpay-provider.ts'
import { stripeCall } from './stripe/stripe-client.ts'
import { stripeProvider } from './stripe/stripe-provider.ts'

/** All payment providers, by name. None of them is contacted before it is needed. */
export function makeProviders(
  config: OrdersConfig,
  context: { db: Database; messaging: Messaging; clock: Clock; credentials: Credentials },
): Map<string, PaymentProvider> {
  const { db, clock, credentials } = context
  const { known } = credentials
  const timeoutMs = config.PAYMENT_TIMEOUT_MS

  const keyId = razorpayKeyId(context, config.RAZORPAY_KEY_ID)
  const keySecret = providerSecret(credentials, 'razorpayKeySecret', config.RAZORPAY_KEY_SECRET)
  const secretKey = providerSecret(credentials, 'stripeSecretKey', config.STRIPE_SECRET_KEY)
  const providers = [
    createDemoProvider({ db, clock, publicUrl: config.PUBLIC_URL, webhookSecret: config.DEMO_WEBHOOK_SECRET }),
    razorpayProvider({
      call: razorpayApi({ baseUrl: config.RAZORPAY_BASE_URL, timeoutMs, keyId, keySecret, known }),
      keySecret,
      webhookSecret: providerSecret(credentials, 'razorpayWebhookSecret', config.RAZORPAY_WEBHOOK_SECRET),
      known,
    }),
    stripeProvider({
      call: stripeCall({ baseUrl: config.STRIPE_BASE_URL, timeoutMs, secretKey, known }),
      clock,
      publicUrl: config.PUBLIC_URL,
      secretKey,
      webhookSecret: providerSecret(credentials, 'stripeWebhookSecret', config.STRIPE_WEBHOOK_SECRET),
      known,
    }),
  ]
  return new Map(providers.map((provider) => [provider.name, provider]))
}

import type { Clock, Credentials, Messaging } from '@storefront/chassis'
import type { OrdersConfig } from '../config.ts'
import type { PaymentProvider } from './provider.ts'
import { providerSecrets } from './provider-secrets.ts'
import { razorpayApi } from './razorpay/razorpay-api.ts'
import { razorpayKeyId } from './razorpay/razorpay-key-id.ts'
import { razorpayProvider } from './razorpay/razorpay-provider.ts'
import { stripeCall } from './stripe/stripe-client.ts'
import { stripeProvider } from './stripe/stripe-provider.ts'

/** Everybody who can be asked for money, by name. None of them is asked anything before it is needed. */
export function makeProviders(
  config: OrdersConfig,
  context: { messaging: Messaging; clock: Clock; credentials: Credentials },
): Map<string, PaymentProvider> {
  const { clock, credentials } = context
  const { known } = credentials
  const timeoutMs = config.PAYMENT_TIMEOUT_MS

  const keyId = razorpayKeyId(context, config.RAZORPAY_KEY_ID)
  const keySecret = providerSecrets(context, 'razorpayKeySecret', config.RAZORPAY_KEY_SECRET)
  const secretKey = providerSecrets(context, 'stripeSecretKey', config.STRIPE_SECRET_KEY)
  const providers = [
    razorpayProvider({
      call: razorpayApi({ baseUrl: config.RAZORPAY_BASE_URL, timeoutMs, keyId, keySecret, known }),
      keyId,
      keySecret,
      webhookSecret: providerSecrets(context, 'razorpayWebhookSecret', config.RAZORPAY_WEBHOOK_SECRET),
      known,
    }),
    stripeProvider({
      call: stripeCall({ baseUrl: config.STRIPE_BASE_URL, timeoutMs, secretKey, known }),
      clock,
      publicUrl: config.PUBLIC_URL,
      secretKey,
      webhookSecret: providerSecrets(context, 'stripeWebhookSecret', config.STRIPE_WEBHOOK_SECRET),
      known,
    }),
  ]
  return new Map(providers.map((provider) => [provider.name, provider]))
}

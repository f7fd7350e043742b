import { actorVerifier, readConfig, systemClock, type Clock } from '@storefront/service'
import { replyTo } from '@storefront/messaging'
import { newId, ReadPrices, type CredentialKey } from '@storefront/contracts'
import {
  createFakeRazorpay,
  createFakeStripe,
  createSuite,
  priceSettings,
  type FakeRazorpay,
  type FakeStripe,
} from '@storefront/tools/testing'
import { OrdersConfig } from '../src/config.ts'
import { makeProviders } from '../src/payments/make-providers.ts'
import type { PaymentProvider, RefundToMake, SessionToOpen } from '../src/payments/provider.ts'
import { usd } from './shop.ts'
import { openDatabase } from './webhooks.ts'

/**
 * Short, because tests wait for it at each fault that never responds. Other calls have as long as a busy machine takes.
 */
export const TIMEOUT_MS = 400
export const HASTY = { PAYMENT_TIMEOUT_MS: String(TIMEOUT_MS) }

export interface PaymentSetting {
  razorpay: FakeRazorpay
  stripe: FakeStripe
  /** The merchant's credentials, and the ones they replaced. */
  credentials: Map<CredentialKey, { value: string; updatedAt: Date }>
  settings: { razorpayKeyId?: string; isAway: boolean; requests: number }
  /** Providers without cached data, as after a start. */
  start(env?: Record<string, string>, clock?: Clock): Map<string, PaymentProvider>
  provider(name: string, env?: Record<string, string>, clock?: Clock): PaymentProvider
  stop(): Promise<void>
}

/** Both providers, simulated by servers that speak their protocol, with a simulated catalog. */
export async function createPaymentSetting(clock: Clock = systemClock): Promise<PaymentSetting> {
  const suite = await createSuite('orders')
  const [razorpay, stripe] = await Promise.all([createFakeRazorpay(), createFakeStripe({ now: () => clock.now() })])
  const db = openDatabase(suite)
  const [orders, catalog] = await Promise.all([suite.openMessaging('orders'), suite.openMessaging('catalog')])
  const settings: PaymentSetting['settings'] = { isAway: false, requests: 0 }
  const verifyActor = actorVerifier(suite.env('catalog')['ACTOR_PUBLIC_KEY'] ?? '', clock)
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReadPrices, async () => {
    settings.requests++
    if (settings.isAway) throw new Error('catalog has lost its database')
    const { razorpayKeyId } = settings
    return {
      entries: [],
      settings: priceSettings({ checkoutMode: 'razorpay', checkoutProvider: 'stripe', razorpayKeyId }),
    }
  })
  await (await catalog.opened).flush()
  const credentials: PaymentSetting['credentials'] = new Map()

  const start: PaymentSetting['start'] = (env = {}, ownClock = clock) => {
    const config = readConfig(OrdersConfig, {
      ...suite.env('orders'),
      RAZORPAY_BASE_URL: razorpay.url,
      STRIPE_BASE_URL: stripe.url,
      RAZORPAY_KEY_ID: razorpay.keyId,
      RAZORPAY_KEY_SECRET: razorpay.keySecret,
      RAZORPAY_WEBHOOK_SECRET: razorpay.webhookSecret,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      PAYMENT_TIMEOUT_MS: '20000',
      PUBLIC_URL: 'http://shop.example/v1',
      ...env,
    })
    return makeProviders(config, {
      db,
      messaging: orders,
      clock: ownClock,
      credentials: {
        get: (key) => credentials.get(key)?.value,
        updatedAt: (key) => credentials.get(key)?.updatedAt,
        replaced: () => undefined,
        known: Promise.resolve(),
        stop: () => Promise.resolve(),
      },
    })
  }
  return {
    razorpay,
    stripe,
    credentials,
    settings,
    start,
    provider(name, env, ownClock) {
      const found = start(env, ownClock).get(name)
      if (!found) throw new Error(`there is no provider ${name}`)
      return found
    },
    async stop() {
      await Promise.all([razorpay.stop(), stripe.stop(), db.destroy()])
      await suite.stop()
    },
  }
}

export function sessionToOpen(now: Date, more: Partial<SessionToOpen> = {}): SessionToOpen {
  return {
    id: newId('payment'),
    orderId: newId('order'),
    total: usd(4920),
    email: 'ada@mail.example',
    description: '2 items',
    storeName: 'Shop',
    successUrl: undefined,
    cancelUrl: undefined,
    expiresAt: new Date(now.getTime() + 40 * 60_000),
    ...more,
  }
}

export function refundOf(paymentReference: string, more: Partial<RefundToMake> = {}): RefundToMake {
  return { id: newId('refund'), paymentReference, amount: usd(1000), reason: 'too small', ...more }
}

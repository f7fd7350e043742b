import { join } from 'node:path'
import { createEncryption, defineService, systemClock, type Clock, type Log } from '@storefront/service'
import { newSecret, recognizeBrowsers } from '@storefront/http'
import { openCredentials } from '@storefront/credentials'
import { ReadOrdersCredentials } from '@storefront/contracts'
import { startService, type StartedService } from '@storefront/service-start'
import { createOrderLinks } from './access/order-links.ts'
import { canonicalizeAllAddresses } from './addresses/canonicalize-addresses.ts'
import { registerOrders } from './app.ts'
import { OrdersConfig } from './config.ts'
import type { OrdersContext } from './context.ts'
import type { OrdersTables } from './database.ts'
import { createPaymentLinks } from './drafts/payment-links.ts'
import { pageClosings } from './sessions/page-closings.ts'
import { unpaidLimitsOf } from './sessions/unpaid-limits.ts'
import { makeProviders } from './payments/make-providers.ts'
import type { PaymentProviders } from './payments/providers.ts'

const STORED_RESPONSES_PURPOSE = 'storefront kept answers'
const MIGRATIONS = join(import.meta.dirname, '../migrations')

export type RunningOrders = StartedService<OrdersContext>

export const service = defineService('orders', OrdersConfig, startOrders)

/** @param options.providers replaces the providers that the merchant has given credentials for */
export function startOrders(
  config: OrdersConfig,
  log: Log,
  clock: Clock = systemClock,
  options: { providers?: PaymentProviders | undefined } = {},
): Promise<RunningOrders> {
  return startService<OrdersTables, OrdersContext>(
    { name: 'orders', config, log, clock, migrations: MIGRATIONS },
    async (app, connections) => {
      const { db, messaging } = connections
      await canonicalizeAllAddresses(db)
      const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadOrdersCredentials })
      const ownSecret = config.SECRETS_KEY ?? config.KEPT_ANSWERS_KEY
      // Without a configured secret each process makes one: its links differ from those of the previous process, and
      // both work.
      const linkSecret = ownSecret ?? newSecret()
      const context: OrdersContext = {
        ...connections,
        publicUrl: config.PUBLIC_URL,
        storefrontOrigins: new Set([...config.STOREFRONT_ORIGINS, new URL(config.STOREFRONT_URL).origin]),
        browsers: await recognizeBrowsers(app, config),
        reservationTtlSeconds: config.RESERVATION_TTL_SECONDS,
        isProduction: config.APP_ENV === 'production',
        unpaidLimits: unpaidLimitsOf(config),
        lookupsAreLimited: config.RATE_LIMIT_LOOKUP > 0,
        paymentSessionTtlSeconds: config.PAYMENT_SESSION_TTL_SECONDS,
        pageClosings: pageClosings(),
        razorpayKeyId: config.RAZORPAY_KEY_ID,
        credentials,
        providers: options.providers ?? makeProviders(config, { db, messaging, clock, credentials }),
        responseEncryption: createEncryption({ ...config, SECRETS_KEY: ownSecret }, STORED_RESPONSES_PURPOSE),
        orderLinks: createOrderLinks(linkSecret),
        paymentLinks: createPaymentLinks(linkSecret),
        paymentLinkDays: config.PAYMENT_LINK_DAYS,
        razorpayUrl: config.RAZORPAY_BASE_URL,
      }
      return { ...registerOrders(app, context), context }
    },
  )
}

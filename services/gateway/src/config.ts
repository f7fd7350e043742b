import { z } from 'zod'
import { ServiceConfig } from '@storefront/service'
import { SETTINGS } from '@storefront/contracts/settings'

/** Several addresses, separated by commas, are replicas of the service; so are several addresses of one host name. */
const Origins = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)).min(1))

const PROXIES_BY_WORD = new Map([
  ['false', 0],
  ['true', 1],
])
/** `false`, `true` (one proxy in front) or the number of proxies: that many entries of X-Forwarded-For are trusted. */
const TrustProxy = z
  .union([z.enum(['false', 'true']), z.string().regex(/^[0-9]$/, 'must be true, false or a number of proxies')])
  .default('false')
  .transform((value) => PROXIES_BY_WORD.get(value) ?? Number(value))

export const GatewayConfig = ServiceConfig.extend({
  ...SETTINGS.gateway,
  REDIS_URL: z.string().min(1),
  /** base64url of the PKCS #8 DER of an Ed25519 key: with it the gateway signs the actor of a request. */
  ACTOR_PRIVATE_KEY: z.string().min(1),
  CATALOG_URL: Origins,
  CART_URL: Origins,
  ORDERS_URL: Origins,
  IDENTITY_URL: Origins,
  NOTIFIER_URL: Origins,
  TRUST_PROXY: TrustProxy,
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(50).max(600_000).default(10_000),
})
  // Turning off the limit of sign-ins turns off that of resets, and turning off the general one turns off the others,
  // unless they are set.
  .transform(({ RATE_LIMIT_RESET, RATE_LIMIT_DISCOUNT, RATE_LIMIT_CHECKOUT, RATE_LIMIT_WEBHOOKS, ...config }) => ({
    ...config,
    RATE_LIMIT_RESET: RATE_LIMIT_RESET ?? (config.RATE_LIMIT_AUTH === 0 ? 0 : 20),
    RATE_LIMIT_DISCOUNT: RATE_LIMIT_DISCOUNT ?? (config.RATE_LIMIT_GENERAL === 0 ? 0 : 60),
    RATE_LIMIT_CHECKOUT: RATE_LIMIT_CHECKOUT ?? (config.RATE_LIMIT_GENERAL === 0 ? 0 : 120),
    RATE_LIMIT_WEBHOOKS: RATE_LIMIT_WEBHOOKS ?? (config.RATE_LIMIT_GENERAL === 0 ? 0 : 6000),
  }))
export type GatewayConfig = z.output<typeof GatewayConfig>

import { z } from 'zod'

const address = z
  .url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:8080' })
  .transform((url) => url.replace(/\/+$/, ''))

/** `false`, `true` (one proxy in front) or their number, as the gateway reads it. */
const proxies = z
  .union([z.enum(['false', 'true']), z.string().regex(/^[0-9]$/, 'must be true, false or a number of proxies')])
  .default('false')
  .transform((value) => {
    if (value === 'true') return 1
    return value === 'false' ? 0 : Number(value)
  })

/** The environment of the storefront. */
export const StorefrontConfig = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(5173),
  /** Where this server reaches the shop's API. */
  SHOP_URL: address.default('http://localhost:8080'),
  /** The address of the API in the browsers of shoppers, with which those of its pictures begin. */
  PUBLIC_URL: address.optional(),
  /** The address of this storefront in the browsers of shoppers. */
  STOREFRONT_URL: address.default('http://localhost:5173'),
  /** Shows the shop that the addresses of shoppers, which this server passes on, are genuine. */
  STOREFRONT_KEY: z.string().min(16, 'must have 16 characters or more').optional(),
  /** `whsec_…`: verifies the shop's webhooks. Without it pages are rendered again after a minute. */
  STOREFRONT_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  /** Razorpay's script for its form; tests have one of their own. */
  RAZORPAY_CHECKOUT_URL: address.default('https://checkout.razorpay.com/v1/checkout.js'),
  /** How many proxies in front of this server add the address of the client to X-Forwarded-For. */
  TRUST_PROXY: proxies,
  PAGE_CACHE_MB: z.coerce.number().int().min(1).max(16_384).default(64),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})
export type StorefrontConfig = z.output<typeof StorefrontConfig>

/**
 * Reads the configuration. An empty variable counts as absent.
 * @throws Error that names every variable with a fault, and shows no value
 */
export function readConfig(env: NodeJS.ProcessEnv): StorefrontConfig {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = StorefrontConfig.safeParse(present)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the configuration is not valid: ${faults.join('; ')}`)
}

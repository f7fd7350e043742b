import { z } from 'zod'
import { StartError } from './start-error.ts'

const perMinute = z.coerce.number().int('must be a whole number').nonnegative('must be zero or more').optional()
const upToAMillion = z.coerce
  .number()
  .int('must be a whole number')
  .min(0, 'must be zero or more')
  .max(1_000_000, 'must be 1000000 or less')
  .optional()
const percent = z.coerce
  .number()
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(100, 'must be 100 or less')
  .optional()
const origin = z.string().refine(isOrigin, 'must be origins such as http://localhost:5173, separated by commas')

const ShopSettings = z.object({
  PORT: z.coerce
    .number('must be a port')
    .int('must be a port')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .default(8080),
  ADMIN_EMAIL: z.email('must be an email address').default('admin@example.com'),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have 8 characters or more')
    .max(200, 'must have 200 characters or less')
    .optional(),
  STOREFRONT_ORIGINS: z
    .string()
    .default('http://localhost:5173,http://localhost:4173')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(origin)),
  STOREFRONT_URL: webAddress().default('http://localhost:5173'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>]+@[^\s@<>]+$|^[^@<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>$/u, 'must look like Shop <shop@example.com>')
    .optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false'], 'must be true or false').default('true'),
  ACCOUNT_URL: webAddress().optional(),
  SECRETS_KEY: z.string().min(16, 'must have 16 characters or more').optional(),
  SECRETS_KEY_PREVIOUS: z.string().min(16, 'must have 16 characters or more').optional(),
  BUYER_HASH_KEY_PREVIOUS: z.string().min(16, 'must have 16 characters or more').optional(),
  RAZORPAY_KEY_ID: z.string().optional(),
  RAZORPAY_KEY_SECRET: z.string().optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  RAZORPAY_BASE_URL: webAddress().optional(),
  STRIPE_BASE_URL: webAddress().optional(),
  PAYMENT_TIMEOUT_MS: z.coerce
    .number('must be milliseconds')
    .int('must be milliseconds')
    .min(100, 'must be 100 or more')
    .max(60_000, 'must be 60000 or less')
    .optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/name' })
    .optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must look like redis://:password@host:6379' }).optional(),
  NATS_URL: z.string().optional(),
  RATE_LIMIT_GENERAL: perMinute,
  RATE_LIMIT_AUTH: perMinute,
  RATE_LIMIT_LOOKUP: perMinute,
  RATE_LIMIT_RESET: perMinute,
  RATE_LIMIT_NEWSLETTER: perMinute,
  RATE_LIMIT_DISCOUNT: perMinute,
  RATE_LIMIT_CHECKOUT: perMinute,
  RATE_LIMIT_WEBHOOKS: perMinute,
  UNPAID_CHECKOUTS_PER_BUYER: upToAMillion,
  UNPAID_CHECKOUTS_PER_ADDRESS: upToAMillion,
  UNPAID_STOCK_PERCENT_PER_BUYER: percent,
  UNPAID_STOCK_PERCENT: percent,
  MAILS_PER_RECIPIENT: upToAMillion,
  MAILS_PER_SENDER: upToAMillion,
  MAILS_PER_NETWORK: upToAMillion,
  DEMO_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'must be whsec_ and base64').optional(),
  ONE_PROCESS: z.enum(['true', 'false'], 'must be true or false').default('false'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
  PUBLIC_BASE_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /v1')
    .transform((path) => path.replace(/\/$/, ''))
    .default(''),
})

export type ShopSettings = z.output<typeof ShopSettings>

/** Reads the launcher's environment; an empty variable counts as absent. @throws StartError with all faults */
export function readSettings(env: NodeJS.ProcessEnv): ShopSettings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = ShopSettings.safeParse(present)
  if (result.success) return result.data
  const faults = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]))
  const list = [...faults].map(([name, message]) => `${name} ${message}`)
  throw new StartError(`Correct the environment: ${list.join('; ')}.`)
}

function webAddress(): z.ZodURL {
  return z.url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:5173' })
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

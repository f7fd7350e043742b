import { z } from 'zod'
import { readEmailAddress, type EmailAddress } from './email-address.ts'
import type { ServiceName } from './services.ts'
import { WebhookSecret } from './webhook-secret.ts'

/**
 * A variable that an operator may set.
 * @param meaning what it does, as the README and `npm start -- --help` say it
 * @param preset the default in words, where the schema has none that a person understands
 */
export function setting<Schema extends z.ZodType>(schema: Schema, meaning: string, preset?: string): Schema {
  return schema.meta({ description: meaning, preset })
}

const FLAG = z.enum(['true', 'false'], 'must be true or false')
const SECRET = z.string().min(1)
const KEY = z.string().min(16, 'must have 16 characters or more').optional()
/** An http or https address, without the slashes at its end. */
export const WebAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:5173' })
  .transform((url) => url.replace(/\/+$/, ''))
/** Address of the shop as its customers type it, with the base path. */
export const PublicUrl = WebAddress.default('http://localhost:8080')
const REQUESTS_A_MINUTE = wholeNumber(0, 1_000_000_000)
const UP_TO_A_MILLION = wholeNumber(0, 1_000_000)
const PERCENT = wholeNumber(1, 100)

/** The origins of the storefront's pages, separated by commas and compared in the form that browsers send. */
const ORIGINS = z
  .string()
  .default('http://localhost:5173,http://localhost:4173')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(z.array(z.string().transform(originOf)))

const LOG_LEVEL = setting(
  z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
  '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
)
const STOREFRONT_ORIGINS = setting(
  ORIGINS,
  'Origins that may call from a browser, and that a payment may return to',
  'http://localhost:5173,http://localhost:4173',
)
const STOREFRONT_URL = setting(WebAddress.default('http://localhost:5173'), 'Where webhooks go, and what mails link to')
const STOREFRONT_WEBHOOK_URL = setting(
  WebAddress.optional(),
  'Where webhooks for the storefront go, when the shop reaches it at another address than shoppers',
  'STOREFRONT_URL',
)
const COOKIE_CROSS_SITE = setting(
  FLAG.default('false'),
  '`true` for a storefront on another site than the shop: the cookie of a browser then needs https',
)
const SECRETS_KEY = setting(KEY, 'Encrypts credentials and signing keys; 16 characters or more (docs/security.md)')
const SECRETS_KEY_PREVIOUS = setting(KEY, 'The previous key, while `SECRETS_KEY` is being replaced')
const RATE_LIMIT_GENERAL = setting(REQUESTS_A_MINUTE.default(600), 'Requests per minute per client; 0 means no limit')
const RATE_LIMIT_AUTH = setting(
  REQUESTS_A_MINUTE.default(10),
  'Sign-ins and registrations per minute; wrong passwords per account in 15 minutes are limited to twice this',
)
const RATE_LIMIT_LOOKUP = setting(REQUESTS_A_MINUTE.default(5), 'Order lookups per minute')

/**
 * Every variable that an operator may set, for `npm start`, docker compose and Kubernetes alike, by the services that
 * read it. `npm run settings` writes the table of the README, the environments of docker-compose.yml and the list in
 * settings.env of Kubernetes from it.
 */
export const SETTINGS = {
  gateway: {
    LOG_LEVEL,
    PUBLIC_BASE_PATH: setting(
      z
        .string()
        .regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /v1')
        .transform((path) => path.replace(/\/$/, ''))
        .default(''),
      'Prefix of every path, such as `/v1`',
    ),
    STOREFRONT_ORIGINS,
    STOREFRONT_KEY: setting(
      KEY,
      "Secret that the storefront's server sends with the shopper's address, so that limits count the shopper and not the server",
      'generated',
    ),
    RATE_LIMIT_GENERAL,
    RATE_LIMIT_AUTH,
    RATE_LIMIT_LOOKUP,
    RATE_LIMIT_RESET: setting(
      REQUESTS_A_MINUTE.optional(),
      'Password resets and uses of links in mails per minute; off when sign-ins are unlimited',
      '20',
    ),
    RATE_LIMIT_NEWSLETTER: setting(REQUESTS_A_MINUTE.default(5), 'Newsletter sign-ups and alerts per minute'),
    RATE_LIMIT_DISCOUNT: setting(
      REQUESTS_A_MINUTE.optional(),
      'Discount codes tried per minute; off when requests are unlimited',
      '60',
    ),
    RATE_LIMIT_CHECKOUT: setting(
      REQUESTS_A_MINUTE.optional(),
      'Checkouts per minute; off when requests are unlimited',
      '120',
    ),
    // More than any provider sends for one shop, and a small part of what orders can check and store.
    RATE_LIMIT_WEBHOOKS: setting(
      REQUESTS_A_MINUTE.optional(),
      'Webhooks of payment providers per minute per address; off when requests are unlimited',
      '6000',
    ),
    OVERLOAD_DELAY_MS: setting(
      wholeNumber(50, 60_000).default(500),
      'When the event loop of the gateway is delayed by more than this twice in a row, it rejects some requests',
    ),
    EDGE_CACHE: setting(
      z.enum(['on', 'off'], 'must be on or off').default('on'),
      '`off`: the gateway stores no public responses',
    ),
    EDGE_CACHE_MB: setting(wholeNumber(1, 16_384).default(64), 'Memory for stored responses in each gateway'),
  },
  orders: {
    LOG_LEVEL,
    STOREFRONT_ORIGINS,
    STOREFRONT_URL,
    COOKIE_CROSS_SITE,
    SECRETS_KEY,
    SECRETS_KEY_PREVIOUS,
    RAZORPAY_KEY_ID: setting(
      SECRET.optional(),
      'Id of the Razorpay key, unless the storefront configuration has one (docs/payments.md)',
    ),
    RAZORPAY_KEY_SECRET: setting(SECRET.optional(), 'Its secret, unless the merchant has stored one'),
    RAZORPAY_WEBHOOK_SECRET: setting(
      SECRET.optional(),
      "Verifies Razorpay's webhooks, unless the merchant has stored one",
    ),
    STRIPE_SECRET_KEY: setting(SECRET.optional(), "Stripe's key, unless the merchant has stored one"),
    STRIPE_WEBHOOK_SECRET: setting(SECRET.optional(), "Verifies Stripe's webhooks, unless the merchant has stored one"),
    RAZORPAY_BASE_URL: setting(WebAddress.default('https://api.razorpay.com'), 'Address of the Razorpay API'),
    STRIPE_BASE_URL: setting(WebAddress.default('https://api.stripe.com'), 'Address of the Stripe API'),
    PAYMENT_TIMEOUT_MS: setting(
      wholeNumber(100, 60_000).default(8000),
      'Timeout of calls to payment providers, from the first byte to the last one of the response',
    ),
    PAYMENT_SESSION_TTL_SECONDS: setting(
      wholeNumber(60, 80_000).default(1800),
      'How long a buyer may take at a payment provider; Stripe accepts no less than 30 minutes',
    ),
    RESERVATION_TTL_SECONDS: setting(
      wholeNumber(1, 86_400).default(600),
      'How long goods stay reserved for a checkout without payment page',
    ),
    PAYMENT_LINK_DAYS: setting(wholeNumber(1, 90).default(7), 'How many days the payment link of a draft order works'),
    RATE_LIMIT_GENERAL,
    RATE_LIMIT_LOOKUP,
    UNPAID_CHECKOUTS_PER_BUYER: setting(
      UP_TO_A_MILLION.default(5),
      'Checkouts of one browser or account that may await payment at a time; 0 means no limit',
    ),
    UNPAID_CHECKOUTS_PER_ADDRESS: setting(
      UP_TO_A_MILLION.optional(),
      'The same for one network address; off when requests are unlimited',
      '100',
    ),
    UNPAID_STOCK_PERCENT_PER_BUYER: setting(
      PERCENT.default(50),
      "Percent of a variant's stock that one buyer may reserve unpaid, at least 10 units; 100 means no limit",
    ),
    UNPAID_STOCK_PERCENT: setting(
      PERCENT.default(80),
      "Percent of a variant's stock that all unpaid checkouts together may reserve, at least 50 units; 100 means no limit",
    ),
    DEMO_WEBHOOK_SECRET: setting(
      WebhookSecret.optional(),
      '`whsec_…`: verifies webhooks of the demo provider that come from outside',
    ),
  },
  identity: {
    LOG_LEVEL,
    ADMIN_EMAIL: setting(
      z.string().transform(emailAddress),
      'Email address of the first admin; used on the first start only',
      'admin@example.com',
    ),
    ADMIN_PASSWORD: setting(SECRET, "The first admin's password", 'generated, shown'),
    ACCOUNT_URL: setting(WebAddress.optional(), 'Target of the links in mails about accounts', "the shop's own pages"),
    SIGNING_KEY_DAYS: setting(
      wholeNumber(0, 3650).default(90),
      'Age at which the key that signs tokens is replaced; 0 for never',
    ),
    SECRETS_KEY,
    SECRETS_KEY_PREVIOUS,
    RATE_LIMIT_AUTH,
  },
  notifier: {
    LOG_LEVEL,
    STOREFRONT_URL,
    STOREFRONT_WEBHOOK_URL,
    SECRETS_KEY,
    SECRETS_KEY_PREVIOUS,
    SMTP_URL: setting(
      z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
      '`smtp://user:password@host:587`; without it mails are kept as files and shown on a page',
    ),
    MAIL_FROM: setting(
      z
        .string()
        .regex(/^[^\s@<>]+@[^\s@<>]+$|^[^@<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>$/u, 'must look like Shop <shop@example.com>')
        .default('Shop <shop@example.com>'),
      'Sender of mails, under the name of the shop, unless the storefront configuration names one',
    ),
    WEBHOOK_ALLOW_PRIVATE: setting(
      FLAG.optional(),
      "`false` rejects webhooks and merchants' mail servers in private networks; set it on a public shop",
      'true',
    ),
    STOREFRONT_WEBHOOK_SECRET: setting(
      WebhookSecret,
      '`whsec_…`: signs webhooks to the storefront, unless the merchant has stored one',
      'generated',
    ),
    RATE_LIMIT_GENERAL,
    MAILS_PER_RECIPIENT: setting(
      UP_TO_A_MILLION.optional(),
      'Per hour and mailbox: orders of unverified buyers that send mails to it, and account mails of each kind; 0 means no limit',
      '15',
    ),
    MAILS_PER_SENDER: setting(UP_TO_A_MILLION.optional(), 'The same for one browser or account', '20'),
    MAILS_PER_NETWORK: setting(
      UP_TO_A_MILLION.optional(),
      'The same for one network address; all three are off when requests are unlimited',
      '100',
    ),
  },
  catalog: {
    LOG_LEVEL,
    STOREFRONT_URL,
    MEDIA_S3_ENDPOINT: setting(
      z
        .url({ protocol: /^https?$/, error: 'must look like https://s3.eu-central-1.amazonaws.com' })
        .regex(/^[^@?#]*$/, 'must not contain a user, a query or a fragment')
        .optional(),
      'A bucket for pictures in place of a folder: the address without the bucket (docs/operations.md)',
    ),
    MEDIA_S3_BUCKET: setting(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
        .optional(),
      'Its name',
    ),
    MEDIA_S3_REGION: setting(z.string().min(1).default('us-east-1'), 'Its region'),
    MEDIA_S3_ACCESS_KEY_ID: setting(SECRET.optional(), 'The id of a key for it'),
    MEDIA_S3_SECRET_ACCESS_KEY: setting(SECRET.optional(), 'The secret of that key'),
    MEDIA_S3_PREFIX: setting(
      z
        .string()
        .regex(/^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?)?$/, 'must be a path such as shop/pictures')
        .default('')
        .transform((prefix) => (prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`)),
      'A folder in it, such as `shop/pictures`',
    ),
    PICTURES_TIMEOUT_MS: setting(
      wholeNumber(100, 120_000).default(15_000),
      'How long fetching a picture of an import may take, including redirects',
    ),
    PICTURES_ALLOW_PRIVATE: setting(
      FLAG.default('false').transform((text) => text === 'true'),
      '`true`: imports may fetch pictures from private networks too; never on a public shop',
      'false',
    ),
  },
  cart: {
    LOG_LEVEL,
    COOKIE_CROSS_SITE,
    BUYER_HASH_KEY_PREVIOUS: setting(
      KEY,
      'The previous `buyerHashKey` of `secrets.json`, while it is being replaced (docs/security.md)',
    ),
    CART_TTL_DAYS: setting(wholeNumber(1, 365).default(30), 'Days after the last change until a cart is deleted'),
  },
} satisfies Record<ServiceName, Record<string, z.ZodType>>

/** The same without the services. */
export const ALL_SETTINGS = {
  ...SETTINGS.gateway,
  ...SETTINGS.orders,
  ...SETTINGS.identity,
  ...SETTINGS.notifier,
  ...SETTINGS.catalog,
  ...SETTINGS.cart,
}

/** A whole number in an environment variable, with messages for an operator. */
function wholeNumber(least: number, most: number) {
  return z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(least, `must be ${least === 0 ? 'zero' : least} or more`)
    .max(most, `must be ${most} or less`)
}

function originOf(text: string, context: z.RefinementCtx): string {
  if (/^https?:\/\/[^/\s*?#@\\]+$/.test(text) && URL.canParse(text)) return new URL(text).origin
  context.addIssue({ code: 'custom', message: 'must be origins such as http://localhost:5173, separated by commas' })
  return z.NEVER
}

function emailAddress(text: string, context: z.RefinementCtx): EmailAddress {
  const address = readEmailAddress(text)
  if (address) return address
  context.addIssue({ code: 'custom', message: 'must be an email address' })
  return z.NEVER
}

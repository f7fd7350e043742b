import { StartError } from './start-error.ts'

export const help = `npm start                 runs the shop; Ctrl-C stops it
npm start -- --reset      deletes the shop's data first
npm start -- --help       shows this

Environment, all optional:
  PORT                    port of the shop, 8080; everything else uses free ports
  DATA_DIR                folder of all data, .data
  ADMIN_EMAIL             admin@example.com; used on the first start
  ADMIN_PASSWORD          otherwise one is generated and shown
  STOREFRONT_ORIGINS      origins that may call from a browser and that payments return to, http://localhost:5173,http://localhost:4173
  STOREFRONT_URL          target of webhooks and of links in mails, http://localhost:5173
  SMTP_URL                smtp://user:password@host:587; without it a page shows the mails
  MAIL_FROM               Shop <shop@example.com>; sender of mails, unless the storefront configuration names one
  WEBHOOK_ALLOW_PRIVATE   true; false rejects webhooks and merchants' mail servers in private networks
  SECRETS_KEY             encrypts credentials stored through the API; without it none are stored
  DATABASE_URL            PostgreSQL 15 or newer, as a user that may create databases and roles
  REDIS_URL               Redis 7 or Valkey
  NATS_URL                NATS 2.9 or newer with JetStream, as a user with all permissions
  SECRETS_KEY_PREVIOUS    the previous key, while SECRETS_KEY is being replaced
  BUYER_HASH_KEY_PREVIOUS the previous buyerHashKey of secrets.json, while it is being replaced
  ACCOUNT_URL             target of links in mails about accounts; otherwise pages of the shop itself
  RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET, RAZORPAY_WEBHOOK_SECRET, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET
                          for payments, unless the merchant has stored them through the API
  RAZORPAY_BASE_URL, STRIPE_BASE_URL
                          addresses of the payment providers
  PAYMENT_TIMEOUT_MS      timeout of calls to payment providers, 8000
  RATE_LIMIT_GENERAL, RATE_LIMIT_AUTH, RATE_LIMIT_RESET, RATE_LIMIT_LOOKUP, RATE_LIMIT_NEWSLETTER,
  RATE_LIMIT_DISCOUNT, RATE_LIMIT_CHECKOUT, RATE_LIMIT_WEBHOOKS
                          requests a minute
  OVERLOAD_DELAY_MS       500; when the gateway is later than this, it rejects a part of the requests
  UNPAID_CHECKOUTS_PER_BUYER, UNPAID_CHECKOUTS_PER_ADDRESS
                          checkouts that may await payment at a time, 5 and 100
  UNPAID_STOCK_PERCENT_PER_BUYER, UNPAID_STOCK_PERCENT
                          percent of a variant's stock that they may reserve, 50 and 80
  MAILS_PER_RECIPIENT, MAILS_PER_SENDER, MAILS_PER_NETWORK
                          mails an hour about orders and accounts of unverified addresses, 15, 20 and 100
  DEMO_WEBHOOK_SECRET     whsec_…, verifies webhooks of the demo provider that come from outside
  ONE_PROCESS             false; true runs the six services in one process, for small machines
  LOG_LEVEL               info
  PUBLIC_BASE_PATH        prefix of every path, such as /v1

Without the three addresses PostgreSQL, Redis and NATS run in Docker, or on this machine.
`

export function readArguments(given: readonly string[]): { reset: boolean; help: boolean } {
  const unknown = given.find((argument) => argument !== '--reset' && argument !== '--help' && argument !== '-h')
  if (unknown !== undefined) throw new StartError(`${unknown} is an unknown argument: see npm start -- --help.`)
  return { reset: given.includes('--reset'), help: given.includes('--help') || given.includes('-h') }
}

import { StartError } from './start-error.ts'

export const help = `npm start                 runs the shop; Ctrl-C stops it
npm start -- --reset      deletes the shop's data first
npm start -- --help       shows this

Environment, all optional:
  PORT                    of the shop's address, 8080; everything else takes free ports
  DATA_DIR                where everything is kept, .data
  ADMIN_EMAIL             admin@example.com; used on the first start
  ADMIN_PASSWORD          otherwise one is made and shown
  STOREFRONT_ORIGINS      who may call from a browser and be led back to after a payment, http://localhost:5173,http://localhost:4173
  STOREFRONT_URL          where webhooks go and mails link to, http://localhost:5173
  SMTP_URL                smtp://user:password@host:587; without it a mailbox of its own shows them
  MAIL_FROM               Shop <shop@example.com>; sends mails while the storefront configuration names no sender
  WEBHOOK_ALLOW_PRIVATE   true; false keeps webhooks and merchants' mail servers out of private networks
  SECRETS_KEY             seals credentials stored through the API; without it none are stored
  DATABASE_URL            a PostgreSQL 15 or newer with rights to create databases and roles
  REDIS_URL               a Redis 7 or Valkey
  NATS_URL                a NATS 2.9 or newer with JetStream, as a user that may do everything
  SECRETS_KEY_PREVIOUS    the key before, while SECRETS_KEY is being replaced
  BUYER_HASH_KEY_PREVIOUS the buyerHashKey of secrets.json before, while it is being replaced
  ACCOUNT_URL             where links in mails about accounts lead; otherwise to pages of the shop itself
  RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET, RAZORPAY_WEBHOOK_SECRET, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET
                          for payments, where the merchant handed over none through the API
  RAZORPAY_BASE_URL, STRIPE_BASE_URL
                          where the payment providers are called, their own addresses
  PAYMENT_TIMEOUT_MS      how long a payment provider may take to answer, 8000
  RATE_LIMIT_GENERAL, RATE_LIMIT_AUTH, RATE_LIMIT_RESET, RATE_LIMIT_LOOKUP, RATE_LIMIT_NEWSLETTER,
  RATE_LIMIT_DISCOUNT, RATE_LIMIT_CHECKOUT, RATE_LIMIT_WEBHOOKS
                          requests a minute
  UNPAID_CHECKOUTS_PER_BUYER, UNPAID_CHECKOUTS_PER_ADDRESS
                          checkouts that may wait for payment at a time, 5 and 100
  UNPAID_STOCK_PERCENT_PER_BUYER, UNPAID_STOCK_PERCENT
                          how much of a variant's stock they may hold, 50 and 80
  MAILS_PER_RECIPIENT, MAILS_PER_SENDER, MAILS_PER_NETWORK
                          mails an hour that strangers may cause, 15, 20 and 100
  DEMO_WEBHOOK_SECRET     whsec_…, signs webhooks of the demo provider that come from outside
  LOG_LEVEL               info
  PUBLIC_BASE_PATH        a prefix for every address, such as /v1

Without the three addresses PostgreSQL, Redis and NATS come from a Docker engine, or run on this machine.
`

export function readArguments(given: readonly string[]): { reset: boolean; help: boolean } {
  const unknown = given.find((argument) => argument !== '--reset' && argument !== '--help' && argument !== '-h')
  if (unknown !== undefined) throw new StartError(`${unknown} is not known here: see npm start -- --help.`)
  return { reset: given.includes('--reset'), help: given.includes('--help') || given.includes('-h') }
}

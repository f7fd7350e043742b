import type { ServiceName } from '@storefront/contracts'
import { randomBytes, randomInt } from 'node:crypto'
import { forEachService } from './for-each-service.ts'
import { readActorKeys, readSecret } from './secrets.ts'
import type { ShopSettings } from './shop-settings.ts'

export interface ShopSecrets {
  adminPassword: string
  /** In the form of the Standard Webhooks specification. */
  webhookSecret: string
  /** Encrypts stored responses to requests with an idempotency key. */
  storedResponsesKey: string
  /** Signs the cookie by which a browser is recognized. */
  browserCookieKey: string
  /** Hashes the email addresses of buyers who redeemed a discount. */
  buyerHashKey: string
  /** Shows the gateway that a request comes from the storefront. */
  storefrontKey: string
  /** Required by the page that shows the mails of a shop for which SMTP_URL is not set. */
  mailboxToken: string
  actorKeys: { privateKey: string; publicKey: string }
  rolePasswords: Record<ServiceName, string>
  natsPasswords: Record<ServiceName, string>
}

/** Reads the secrets of a shop from its data folder, and generates those that are missing. */
export function readShopSecrets(dataDir: string, settings: ShopSettings): ShopSecrets {
  return {
    adminPassword: settings.ADMIN_PASSWORD ?? readSecret(dataDir, 'adminPassword', passwordToType),
    webhookSecret:
      settings.STOREFRONT_WEBHOOK_SECRET ??
      readSecret(dataDir, webhookSecretName, () => `whsec_${randomBytes(24).toString('base64')}`),
    storedResponsesKey: readSecret(dataDir, 'keptAnswersKey'),
    browserCookieKey: readSecret(dataDir, 'browserCookieKey'),
    buyerHashKey: readSecret(dataDir, 'buyerHashKey'),
    storefrontKey: settings.STOREFRONT_KEY ?? readSecret(dataDir, 'storefrontKey'),
    mailboxToken: readSecret(dataDir, 'mailboxToken'),
    actorKeys: readActorKeys(dataDir),
    rolePasswords: forEachService((service) => readSecret(dataDir, `databasePassword.${service}`)),
    natsPasswords: forEachService((service) => readSecret(dataDir, `natsPassword.${service}`)),
  }
}

export const webhookSecretName = 'storefrontWebhookSecret'

/** A password of 99 random bits that a person can type. */
function passwordToType(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

import { join } from 'node:path'
import { createLinkTokens, defineService, openRedis, systemClock, type Clock, type Log } from '@storefront/service'
import { startService, type StartedService } from '@storefront/service-start'
import { makeFirstAdmin } from './admins/make-first-admin.ts'
import { registerIdentity } from './app.ts'
import { passwordAttempts } from './attempts/attempt.ts'
import { IdentityConfig } from './config.ts'
import { prepareLinkKey } from './confirmations/prepare-link-key.ts'
import type { IdentityContext } from './context.ts'
import { prepareCredentials } from './credentials/prepare-credentials.ts'
import type { Database, IdentityTables } from './database.ts'
import { canonicalizeAllAddresses } from './email/canonicalize-addresses.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts'
import { reencryptSecondFactors } from './second-factor/reencrypt-second-factors.ts'
import { createEncryptions, type Encryptions } from './secrets/encryptions.ts'
import { shareRevocations } from './sessions/share-revocations.ts'
import { prepareSigningKeys } from './tokens/prepare-signing-keys.ts'
import { createTokens } from './tokens/tokens.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')

export type RunningIdentity = StartedService<IdentityContext>

export const service = defineService('identity', IdentityConfig, startIdentity)

/** Creates what a new shop lacks: signing keys and the first admin. */
export async function startIdentity(
  config: IdentityConfig,
  log: Log,
  clock: Clock = systemClock,
): Promise<RunningIdentity> {
  const encryptions = createEncryptions(config)
  if (config.SECRETS_KEY === undefined && config.APP_ENV === 'production') {
    log.warn('SECRETS_KEY is not set: anyone who can read the database can sign tokens. Set it to encrypt the keys')
  }
  const passwords = await createPasswordHasher(config.PASSWORD_HASH_COST)
  return startService<IdentityTables, IdentityContext>(
    { name: 'identity', config, log, clock, migrations: MIGRATIONS },
    async (app, connections) => {
      const { db, messaging } = connections
      const linkKey = await prepareData({ db, encryptions, passwords, clock, log }, config)
      const tokens = createTokens(encryptions.signingKeys)
      await tokens.prepare(db, clock.now())
      const redis = openRedis({ url: config.REDIS_URL, name: 'identity', log })
      const context: IdentityContext = {
        ...connections,
        passwords,
        passwordAttempts: passwordAttempts(config.RATE_LIMIT_AUTH),
        tokens,
        revocations: shareRevocations({ db, redis, messaging, namespace: config.NAMESPACE, clock, log }),
        links: createLinkTokens(linkKey),
        encryptions,
        signingKeyDays: config.SIGNING_KEY_DAYS,
        publicUrl: config.PUBLIC_URL,
        accountUrl: config.ACCOUNT_URL ?? config.PUBLIC_URL,
      }
      return { ...registerIdentity(app, context), context, redis }
    },
  )
}

/** @returns the key of the links in mails */
async function prepareData(
  {
    db,
    encryptions,
    passwords,
    clock,
    log,
  }: { db: Database; encryptions: Encryptions; passwords: PasswordHasher; clock: Clock; log: Log },
  config: IdentityConfig,
): Promise<Buffer> {
  await canonicalizeAllAddresses({ db, clock })
  await prepareSigningKeys(db, encryptions.signingKeys, clock)
  await prepareCredentials(db, encryptions.credentials, log)
  await reencryptSecondFactors(db, encryptions.secondFactors, log)
  await makeFirstAdmin({ db, passwords, clock }, { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD })
  return prepareLinkKey(db, encryptions.mailLinks, clock)
}

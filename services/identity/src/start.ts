import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { actorVerifier, openRedis, stopService, systemClock, type Clock, type Log } from '@storefront/service'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import { createApp, type App } from '@storefront/http'
import { firstConnections, openMessaging } from '@storefront/messaging'
import { makeFirstAdmin } from './admins/make-first-admin.ts'
import { registerIdentity } from './app.ts'
import type { IdentityConfig } from './config.ts'
import { passwordAttempts } from './attempts/attempt.ts'
import { createLinkTokens } from './confirmations/link-tokens.ts'
import { prepareLinkKey } from './confirmations/prepare-link-key.ts'
import { prepareCredentials } from './credentials/prepare-credentials.ts'
import { readAddresses } from './email/read-unread-addresses.ts'
import type { Database, IdentitySchema } from './database.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts'
import { shareRevocations } from './sessions/share-revocations.ts'
import { reencryptSecondFactors } from './second-factor/reencrypt-second-factors.ts'
import { prepareSigningKeys } from './tokens/prepare-signing-keys.ts'
import { createEncryptions, type Encryptions } from './secrets/encryptions.ts'
import { createTokens } from './tokens/tokens.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const POOL_SIZE = 10

export interface RunningIdentity {
  app: App
  url: string
  stop(): Promise<void>
}

/** Connects, creates what a new shop lacks, and serves. NATS and Redis may come later; Postgres must be reachable. */
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
  const db = createDatabase<IdentitySchema>({ url: config.DATABASE_URL, poolSize: POOL_SIZE, name: 'identity', log })
  let linkKey: Buffer
  try {
    linkKey = await prepareData({ db, encryptions, passwords, clock, log }, config)
  } catch (error) {
    await db.destroy()
    throw error
  }

  const messaging = openMessaging({ url: config.NATS_URL, service: 'identity', namespace: config.NAMESPACE, log })
  const redis = openRedis({ url: config.REDIS_URL, name: 'identity', log })
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const revocations = shareRevocations({ db, redis, messaging, namespace: config.NAMESPACE, clock, log })
  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => {
      await sql`select 1`.execute(db)
    },
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  const { timers } = registerIdentity(app, {
    db,
    messaging,
    verifyActor,
    passwords,
    passwordAttempts: passwordAttempts(config.RATE_LIMIT_AUTH),
    tokens: createTokens(encryptions.signingKeys),
    revocations,
    links: createLinkTokens(linkKey),
    encryptions,
    signingKeyDays: config.SIGNING_KEY_DAYS,
    publicUrl: config.PUBLIC_URL,
    accountUrl: config.ACCOUNT_URL ?? config.PUBLIC_URL,
    clock,
    log,
  })
  await firstConnections({ messaging, redis })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'identity is listening')

  return {
    app,
    url,
    stop: () =>
      stopService({
        app,
        delayMs: config.STOP_DELAY_MS,
        consumers: [],
        timers: [...timers, revocations],
        messaging,
        redis,
        db,
      }),
  }
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
  await assertMigrated(db, MIGRATIONS)
  await readAddresses({ db, clock })
  await prepareSigningKeys(db, encryptions.signingKeys, clock)
  await prepareCredentials(db, encryptions.credentials, log)
  await reencryptSecondFactors(db, encryptions.secondFactors, log)
  await makeFirstAdmin({ db, passwords, clock }, { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD })
  return prepareLinkKey(db, encryptions.mailLinks, clock)
}

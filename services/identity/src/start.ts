import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import {
  actorVerifier,
  assertMigrated,
  createApp,
  createDatabase,
  openMessaging,
  openRedis,
  systemClock,
  type App,
  type Clock,
  type Log,
} from '@storefront/chassis'
import { makeFirstAdmin } from './admins/make-first-admin.ts'
import { registerRoutes } from './app.ts'
import type { IdentityConfig } from './config.ts'
import type { Database, IdentitySchema } from './database.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts'
import { forgetExpiredSessions } from './sessions/forget-expired-sessions.ts'
import { shareRevocations } from './sessions/share-revocations.ts'
import { prepareSigningKeys } from './tokens/prepare-signing-keys.ts'
import { createSeal, type Seal } from './tokens/seal.ts'
import { createTokens } from './tokens/tokens.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const POOL_SIZE = 10

export interface RunningIdentity {
  app: App
  url: string
  stop(): Promise<void>
}

/** Connects, makes what a new shop lacks, and serves. NATS and Redis may come later; Postgres must be there. */
export async function startIdentity(
  config: IdentityConfig,
  log: Log,
  clock: Clock = systemClock,
): Promise<RunningIdentity> {
  const seal = config.SECRETS_KEY === undefined ? undefined : createSeal(config.SECRETS_KEY)
  if (!seal && config.APP_ENV === 'production') {
    log.warn('SECRETS_KEY is not set: whoever reads the database can sign tokens')
  }
  const passwords = await createPasswordHasher()
  const db = createDatabase<IdentitySchema>({ url: config.DATABASE_URL, poolSize: POOL_SIZE, name: 'identity', log })
  try {
    await prepareData({ db, seal, passwords, clock }, config)
  } catch (error) {
    await db.destroy()
    throw error
  }

  const messaging = openMessaging({ url: config.NATS_URL, service: 'identity', namespace: config.NAMESPACE, log })
  const redis = openRedis({ url: config.REDIS_URL, name: 'identity', log })
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const revocations = shareRevocations({ db, redis, namespace: config.NAMESPACE, clock, log })
  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => {
      await sql`select 1`.execute(db)
    },
  })
  const dependencies = { db, messaging, verifyActor, passwords, tokens: createTokens(seal), revocations, clock, log }
  registerRoutes(app, dependencies)
  const forgetting = forgetExpiredSessions(dependencies)
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'identity is listening')

  return {
    app,
    url,
    async stop() {
      await app.close()
      await forgetting.stop()
      await revocations.stop()
      await messaging.close()
      redis.disconnect()
      await db.destroy()
    },
  }
}

async function prepareData(
  { db, seal, passwords, clock }: { db: Database; seal: Seal | undefined; passwords: PasswordHasher; clock: Clock },
  config: IdentityConfig,
): Promise<void> {
  await assertMigrated(db, MIGRATIONS)
  await prepareSigningKeys(db, seal, clock)
  await makeFirstAdmin({ db, passwords, clock }, { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD })
}

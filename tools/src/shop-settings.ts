import { z } from 'zod'
import { ALL_SETTINGS, setting } from '@storefront/contracts/settings'
import { StartError } from './start-error.ts'
import { StreamSettings } from './stream-settings.ts'

const databaseAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/name' })
  .optional()

const ownDatabase = (service: string) =>
  setting(databaseAddress, `The same, for the schema of ${service} alone`, 'that of `DATABASE_URL`')

/** The variables of `npm start`: those that it reads itself, and those that it passes on to the services. */
export const SHOP_SETTINGS = {
  PORT: setting(
    z.coerce
      .number('must be a port')
      .int('must be a port')
      .min(0, 'must be a port')
      .max(65_535, 'must be a port')
      .default(8080),
    'Port of the shop. Everything else uses free ports',
  ),
  DATA_DIR: setting(
    z.string().default('.data'),
    'Folder of databases, logs, mails, pictures and generated secrets, readable by its owner only',
  ),
  DATABASE_URL: setting(
    databaseAddress,
    'PostgreSQL 15 or newer, as a user that may create databases and roles',
    'started for you',
  ),
  CATALOG_DATABASE_URL: ownDatabase('catalog'),
  CART_DATABASE_URL: ownDatabase('cart'),
  ORDERS_DATABASE_URL: ownDatabase('orders'),
  IDENTITY_DATABASE_URL: ownDatabase('identity'),
  NOTIFIER_DATABASE_URL: ownDatabase('notifier'),
  REDIS_URL: setting(
    z
      .string()
      .regex(/^rediss?:\/\/|^redis-sentinel:\/\/.+#/, {
        error:
          'must look like redis://:password@host:6379, or redis-sentinel://:password@host:26379,host:26379/0#primary',
      })
      .optional(),
    'Redis 7 or Valkey, best with `hash-max-listpack-value 1024` (docs/scaling.md), or its sentinels (docs/operations.md)',
    'started for you',
  ),
  NATS_URL: setting(
    z.string().optional(),
    'NATS 2.9 or newer with JetStream, as a user with all permissions',
    'started for you',
  ),
  NATS_REPLICAS: setting(
    StreamSettings.shape.NATS_REPLICAS,
    'How many servers of NATS store each event',
    'three in a cluster, otherwise one',
  ),
  STREAM_MAX_BYTES: setting(
    StreamSettings.shape.STREAM_MAX_BYTES,
    'Maximum size of the event stream, in bytes',
    '2147483648',
  ),
  ONE_PROCESS: setting(
    z.enum(['true', 'false'], 'must be true or false').default('false'),
    '`true` runs the six services in one process, for small machines',
  ),
  ...ALL_SETTINGS,
}

const ShopSettings = z.object({
  ...SHOP_SETTINGS,
  // A shop on this machine starts without any of them.
  ADMIN_EMAIL: z.email('must be an email address').default('admin@example.com'),
  ADMIN_PASSWORD: ALL_SETTINGS.ADMIN_PASSWORD.min(8, 'must have 8 characters or more')
    .max(200, 'must have 200 characters or less')
    .optional(),
  STOREFRONT_WEBHOOK_SECRET: ALL_SETTINGS.STOREFRONT_WEBHOOK_SECRET.optional(),
  WEBHOOK_ALLOW_PRIVATE: ALL_SETTINGS.WEBHOOK_ALLOW_PRIVATE.default('true'),
})

export interface ShopSettings extends z.output<typeof ShopSettings> {
  /** What is set, as it was typed: services read their part themselves. */
  given: Readonly<Record<string, string>>
}

/** Reads the launcher's environment; an empty variable counts as absent. @throws StartError with all faults */
export function readSettings(env: NodeJS.ProcessEnv): ShopSettings {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
  const result = ShopSettings.safeParse(given)
  if (result.success) return { ...result.data, given }
  const faults = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]))
  const list = [...faults].map(([name, message]) => `${name} ${message}`)
  throw new StartError(`Correct the environment: ${list.join('; ')}.`)
}

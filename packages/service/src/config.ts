import { z } from 'zod'
import { NAMESPACE_FORMAT, REQUEST_TIMEOUT_MS } from '@storefront/contracts'
import { SETTINGS } from '@storefront/contracts/settings'

const port = z.coerce.number().int().min(0).max(65_535)

/**
 * The environment variables of every service; a service extends them with its own, and with the settings of operators
 * that it reads (packages/contracts/src/settings.ts).
 */
export const ServiceConfig = z.object({
  APP_ENV: z.enum(['development', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(0),
  /**
   * How long a service continues to serve after the stop signal, while it reports that it is not ready: load balancers
   * need a moment to notice.
   */
  STOP_DELAY_MS: z.coerce.number().int().min(0).max(600_000).default(0),
  /** Where `GET /metrics` is served, which is not public; without a port, metrics are not served. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  LOG_LEVEL: SETTINGS.gateway.LOG_LEVEL,
  /** Tests reject error codes that a route does not declare; in production they are sent and logged. */
  UNDECLARED_ERRORS: z.enum(['log', 'reject']).default('log'),
  /**
   * Tests that kill services often keep the memory that a start leaves behind: its release takes a third of the start.
   */
  STARTUP_MEMORY: z.enum(['release', 'keep']).default('release'),
  NAMESPACE: z.string().regex(NAMESPACE_FORMAT, 'must be a lower-case word').default('shop'),
  NATS_URL: z.string().min(1),
  /**
   * How long a request to another service waits. Tests wait longer: many shops share two processors with their servers.
   */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(REQUEST_TIMEOUT_MS),
  ACTOR_PUBLIC_KEY: z.string().min(1),
})

/** Those of a service with a database. */
export const DatabaseServiceConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  /** How long work waits for a connection. Tests wait longer as well. */
  DATABASE_CONNECT_MS: z.coerce.number().int().min(100).max(60_000).default(3000),
})

/** One problem per line, so that all of them can be fixed in one go. */
export class ConfigurationError extends Error {
  constructor(faults: string[]) {
    super(`the configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

/**
 * Reads the configuration of a service from environment variables. An empty variable counts as absent.
 * @throws ConfigurationError that lists every problem at once and never shows a value
 */
export function readConfig<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  throw new ConfigurationError(
    result.error.issues.map((issue) => {
      const name = issue.path.join('.')
      return name in present ? `${name}: ${issue.message}` : `${name} is missing`
    }),
  )
}

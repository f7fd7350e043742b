import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)

/** What every service reads from its environment; a service extends it with its own keys. */
export const ServiceConfig = z.object({
  APP_ENV: z.enum(['development', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(0),
  /** How long a service that is told to stop goes on serving while it says that it is not ready: balancers need a moment. */
  STOP_DELAY_MS: z.coerce.number().int().min(0).max(600_000).default(0),
  /** Where `GET /metrics` answers, which is not for the public; nowhere without a port. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Tests reject error codes that a route does not declare; in operation they are sent and logged. */
  UNDECLARED_ERRORS: z.enum(['log', 'reject']).default('log'),
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be a lower-case word')
    .default('shop'),
  NATS_URL: z.string().min(1),
  ACTOR_PUBLIC_KEY: z.string().min(1),
})

/** Where the pages of the storefront come from: origins with commas between them, read as browsers write them. */
export const StorefrontOrigins = z
  .string()
  .default('http://localhost:5173,http://localhost:4173')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^https?:\/\/[^/\s*?#@\\]+$/, 'must be origins such as https://shop.example')
        .refine((origin) => URL.canParse(origin), 'must be origins such as https://shop.example')
        .transform((origin) => new URL(origin).origin),
    ),
  )

/** One fault a line, so that all of them are mended in one go. */
export class ConfigurationError extends Error {
  constructor(faults: string[]) {
    super(`configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

/**
 * Reads the configuration of a service from environment variables. An empty variable counts as absent.
 * @throws ConfigurationError that lists every fault at once and never shows a value
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

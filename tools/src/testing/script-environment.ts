/** The environment of a demo shop that a script starts for itself: at any free port, with few lines in its logs. */
export function scriptEnvironment(): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: '0',
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: 'admin@example.com',
  }
}

/** Turns off the rate limits: all requests of a test or a script come from one address. */
export const NO_RATE_LIMITS = Object.fromEntries(
  ['GENERAL', 'AUTH', 'RESET', 'LOOKUP', 'NEWSLETTER', 'DISCOUNT', 'CHECKOUT', 'WEBHOOKS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '0',
  ]),
)

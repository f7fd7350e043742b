import { z } from 'zod'
import { StreamSettings } from '../stream-settings.ts'

const RULE = 'must be a number from 0 to 9'
const replicas = z.coerce.number(RULE).int(RULE).min(0, RULE).max(9, RULE).optional()

const Variables = {
  POSTGRES_STANDBYS: replicas,
  REDIS_REPLICAS: replicas,
  NATS_REPLICAS: StreamSettings.shape.NATS_REPLICAS,
}
type Variable = keyof typeof Variables

/**
 * How many replicas a server of the shop must have.
 * @returns undefined when the environment does not say it, or says something else than a number
 */
export function expectedReplicas(
  env: Readonly<Record<string, string | undefined>>,
  variable: Variable,
): number | undefined {
  return Variables[variable].safeParse(env[variable] || undefined).data
}

/** @returns the variables about replicas that are invalid, each with what is allowed */
export function invalidExpectations(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(Variables).flatMap(([name, schema]) => {
    const { error } = schema.safeParse(env[name] || undefined)
    return error === undefined ? [] : [`${name} ${error.issues[0]?.message ?? 'is invalid'}`]
  })
}

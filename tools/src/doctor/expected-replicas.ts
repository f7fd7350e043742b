import { z } from 'zod'

const replicas = (least: number, most: number) => {
  const rule = `must be a number from ${least} to ${most}`
  return z.coerce.number(rule).int(rule).min(least, rule).max(most, rule).optional()
}

const Variables = {
  POSTGRES_STANDBYS: replicas(0, 9),
  REDIS_REPLICAS: replicas(0, 9),
  // As the migrate step has it.
  NATS_REPLICAS: replicas(1, 5),
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

import { checkBackup } from './check-backup.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkMachine } from './check-machine.ts'
import { checkMail } from './check-mail.ts'
import { checkNats } from './check-nats.ts'
import { checkPostgres } from './check-postgres.ts'
import { checkRedis } from './check-redis.ts'
import { checkServices } from './check-services.ts'
import { fault, type Finding } from './finding.ts'
import type { Surroundings } from './surroundings.ts'
import { messageOf } from '../start-error.ts'

/** Runs all checks in parallel, and returns the findings in the order in which to fix them. Changes nothing. */
export async function runChecks(around: Surroundings, service?: string): Promise<Finding[]> {
  const checks: [string, () => Promise<Finding[]>][] = [
    ['configuration', () => checkConfiguration(around, service)],
    ['machine', () => checkMachine(around)],
    ['PostgreSQL', () => checkPostgres(around)],
    ['Redis', () => checkRedis(around)],
    ['NATS', () => checkNats(around)],
    ['services', () => checkServices(around)],
    ['mail server', () => checkMail(around)],
    ['backup', () => checkBackup(around)],
  ]
  const found = await Promise.all(
    checks.map(([name, check]) =>
      check().catch((error: unknown) => [
        fault(
          name,
          `could not be checked (${messageOf(error)})`,
          'Run the doctor again, and report this error if it returns.',
        ),
      ]),
    ),
  )
  return found.flat()
}

import { checkBackup } from './check-backup.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkMachine } from './check-machine.ts'
import { checkMail } from './check-mail.ts'
import { checkNats } from './check-nats.ts'
import { checkPatroni } from './check-patroni.ts'
import { checkPostgres } from './check-postgres.ts'
import { checkRedis } from './check-redis.ts'
import { checkServices } from './check-services.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, type Finding } from './finding.ts'
import { messageOf } from '../start-error.ts'

/** Runs all checks in parallel, and returns the findings in the order in which to fix them. Changes nothing. */
export async function runChecks(context: DoctorContext, service?: string): Promise<Finding[]> {
  const checks: [string, () => Promise<Finding | Finding[]>][] = [
    ['configuration', () => checkConfiguration(context, service)],
    ['machine', () => checkMachine(context)],
    ['PostgreSQL', () => checkPostgres(context)],
    ['Patroni', () => checkPatroni(context)],
    ['Redis', () => checkRedis(context)],
    ['NATS', () => checkNats(context)],
    ['services', () => checkServices(context)],
    ['mail server', () => checkMail(context)],
    ['backup', () => checkBackup(context)],
  ]
  const found = await Promise.all(
    checks.map(([name, check]) =>
      check().catch((error: unknown) =>
        fault(
          name,
          `could not be checked (${messageOf(error)})`,
          'Run the doctor again, and report this error if it returns.',
        ),
      ),
    ),
  )
  return found.flat()
}

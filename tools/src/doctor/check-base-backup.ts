import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { baseBackupFinding } from './base-backup-finding.ts'
import { warn, type Finding } from './finding.ts'

const DEADLINE_MS = 30_000

/**
 * How old the newest backup of pgBackRest is.
 * @param env with `PGBACKREST_STANZA`, and whatever else `pgbackrest` reads
 * @returns undefined without that variable
 */
export async function checkBaseBackup(
  env: Readonly<Record<string, string | undefined>>,
  now: Date,
): Promise<Finding | undefined> {
  const stanza = env['PGBACKREST_STANZA']
  if (!stanza) return undefined
  try {
    const options = { env: { ...env }, timeout: DEADLINE_MS }
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], options)
    return baseBackupFinding(JSON.parse(stdout), stanza, now)
  } catch {
    // Without the output of the program, which may contain keys of its bucket.
    return warn(
      'base backup',
      'pgbackrest info cannot be run here',
      'Run the doctor as a user who may run pgbackrest on a machine that has it, or unset PGBACKREST_STANZA.',
    )
  }
}

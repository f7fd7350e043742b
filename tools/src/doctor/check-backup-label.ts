import { isOutage } from '@storefront/postgres'
import { Client, type ClientBase } from 'pg'
import { OLD_HOURS } from './check-base-backup.ts'
import type { DoctorContext } from './doctor-context.ts'
import { ok, warn, type Finding } from './finding.ts'
import * as queries from './replication.queries.ts'

const CHECK = 'base backup'
/** What is found when the present primary does not know the backups of the one before it, or of a standby. */
export const UNKNOWN = 'unknown on this primary'
const MAKE = 'Make one with pgbackrest backup, and check the job that does: it must find the present primary.'
const DEADLINE_MS = 5000

interface Known {
  /** Undefined when there is none; `hidden` when this role may not look. */
  newest: queries.BackupLabel | undefined | 'hidden'
  timeline: number
  /** Undefined on the first timeline, and when this role may not see it. */
  promotedAt: Date | undefined
  usesPgBackRest: boolean
}

/**
 * How old the newest base backup is, as far as the primary itself knows: for a doctor without pgBackRest beside it.
 * @returns undefined where nothing is archived, or no primary responds, which other checks report
 */
export async function checkBackupLabel({ addresses, clock }: DoctorContext): Promise<Finding | undefined> {
  let client: Client
  try {
    const options = { connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS, application_name: 'doctor' }
    client = new Client({ connectionString: addresses.database, ...options })
    client.on('error', () => {}) // The next query fails with the error.
    await client.connect()
  } catch {
    return undefined
  }
  try {
    const known = await readKnown(client)
    return known && backupLabelFinding(known, clock.now())
  } catch (error) {
    // The primary changed meanwhile.
    if (isOutage(error)) return undefined
    throw error
  } finally {
    await client.end()
  }
}

async function readKnown(client: ClientBase): Promise<Known | undefined> {
  const { isStandby, timeline } = await queries.serverRole(client)
  const { isOn, hasCommand, usesPgBackRest } = await queries.archiver(client)
  if (isStandby || !isOn || !hasCommand) return undefined
  const promotedAt = timeline === 1 ? undefined : await queries.promotedAt(client, timeline)
  return { newest: await queries.newestBackup(client), timeline, promotedAt, usesPgBackRest }
}

/**
 * A warning only when it is certain: a primary knows neither the backups of the one before it nor those that were made
 * from a standby. Those of pgBackRest begin and end on the primary.
 */
export function backupLabelFinding({ newest, timeline, promotedAt, usesPgBackRest }: Known, now: Date): Finding {
  const hoursSince = (at: Date): number => Math.max(0, (now.getTime() - at.getTime()) / 3_600_000)
  const isLongPrimary = timeline === 1 || (promotedAt !== undefined && hoursSince(promotedAt) >= OLD_HOURS)
  const knowsAll = usesPgBackRest && isLongPrimary
  if (newest === 'hidden') return ok(CHECK, UNKNOWN)
  if (newest === undefined) {
    if (!knowsAll) return ok(CHECK, UNKNOWN)
    return warn(CHECK, timeline === 1 ? 'none' : 'none since this primary was promoted', MAKE)
  }
  const hours = hoursSince(newest.endedAt)
  // The label of a copy for a standby takes the place of that of the backup before it, and any backup since would have
  // taken its place.
  const isCopy = newest.label?.startsWith('pg_basebackup') === true
  if (isCopy) {
    return knowsAll && hours >= OLD_HOURS
      ? warn(CHECK, `none since a standby was copied ${hours.toFixed(1)} hours ago`, MAKE)
      : ok(CHECK, UNKNOWN)
  }
  const found = `${hours.toFixed(1)} hours old (${newest.label ?? 'or a standby was copied then'})`
  if (hours < OLD_HOURS) return ok(CHECK, found)
  return knowsAll ? warn(CHECK, found, MAKE) : ok(CHECK, `${UNKNOWN}, which made one that is ${found}`)
}

import { OLD_HOURS } from './base-backup-finding.ts'
import { ok, warn, type Finding } from './finding.ts'
import type { BackupLabel } from './replication.queries.ts'

const CHECK = 'base backup'
/** What is found when the present primary does not know the backups of the one before it, or of a standby. */
export const UNKNOWN = 'unknown on this primary'
const MAKE = 'Make one with pgbackrest backup, and check the job that does: it must find the present primary.'

/** What the primary knows of its backups. */
export interface KnownBackups {
  /** Undefined when there is none; `hidden` when this role may not look. */
  newest: BackupLabel | undefined | 'hidden'
  timeline: number
  /** Undefined on the first timeline, and when this role may not see it. */
  promotedAt: Date | undefined
  usesPgBackRest: boolean
}

/**
 * A warning only when it is certain: a primary knows neither the backups of the one before it nor those that were made
 * from a standby. Those of pgBackRest begin and end on the primary.
 */
export function backupLabelFinding({ newest, timeline, promotedAt, usesPgBackRest }: KnownBackups, now: Date): Finding {
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
  if (newest.label?.startsWith('pg_basebackup')) {
    return knowsAll && hours >= OLD_HOURS
      ? warn(CHECK, `none since a standby was copied ${hours.toFixed(1)} hours ago`, MAKE)
      : ok(CHECK, UNKNOWN)
  }
  const found = `${hours.toFixed(1)} hours old (${newest.label ?? 'or a standby was copied then'})`
  if (hours < OLD_HOURS) return ok(CHECK, found)
  return knowsAll ? warn(CHECK, found, MAKE) : ok(CHECK, `${UNKNOWN}, which made one that is ${found}`)
}

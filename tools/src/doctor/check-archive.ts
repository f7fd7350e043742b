import type { Clock } from '@storefront/service'
import type { ClientBase } from 'pg'
import { fault, ok, warn, type Finding } from './finding.ts'
import { archiver, filesToArchive } from './replication.queries.ts'

/** 160 MiB: an archive that keeps up has one or two files waiting. */
const MANY_WAITING = 10

/** Whether the write-ahead log reaches its archive, without which nothing can be restored to a point in time. */
export async function checkArchive(client: ClientBase, clock: Clock): Promise<Finding> {
  const check = 'archive of the log'
  const { isOn, hasCommand, lastArchivedAt, lastFailedAt } = await archiver(client)
  if (!isOn) return ok(check, 'is off, so only the state of a backup can be restored, not a later one')
  if (!hasCommand) {
    return fault(
      check,
      'is on without a command',
      'Set archive_command, or set archive_mode to off: the log is kept until the disk is full.',
    )
  }
  if (lastFailedAt !== null && (lastArchivedAt === null || lastArchivedAt < lastFailedAt)) {
    return fault(
      check,
      `fails, the last time at ${lastFailedAt.toISOString()}`,
      'Read the log of PostgreSQL for the error of archive_command, and fix it before the disk is full.',
    )
  }
  const waiting = await filesToArchive(client)
  if (waiting !== undefined && waiting >= MANY_WAITING) {
    return warn(
      check,
      `${waiting} files wait`,
      'Check whether archive_command hangs, and how fast its destination is: what waits is lost with this machine.',
    )
  }
  if (lastArchivedAt === null) return ok(check, 'is on, and no file has been archived yet')
  const minutes = Math.max(0, (clock.now().getTime() - lastArchivedAt.getTime()) / 60_000)
  return ok(check, `works, the last file ${minutes.toFixed(0)} minutes ago`)
}

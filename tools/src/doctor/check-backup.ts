import { newestBackup } from '../backup/manifest.ts'
import { UNKNOWN } from './backup-label-finding.ts'
import { checkBackupLabel } from './check-backup-label.ts'
import { checkBaseBackup } from './check-base-backup.ts'
import type { DoctorContext } from './doctor-context.ts'
import { ok, warn, type Finding } from './finding.ts'

const OLD_HOURS = 24
const NONE = warn(
  'backup',
  'none in the folder of backups',
  'Make one with npm run backup, and keep a copy on another machine.',
)
const NONE_SEEN = warn(
  'backup',
  'none in the folder of backups, and none is known to this primary',
  'See whether there is a base backup, with pgbackrest info or in the state of your operator.',
)

/** How old the newest backup in the default folder is, and the newest base backup where the shop has an archive. */
export async function checkBackup(context: DoctorContext): Promise<Finding[]> {
  const { env, addresses, clock } = context
  const newest = await newestBackup(env, addresses.dataDir)
  const base = (await checkBaseBackup(env, clock.now())) ?? (await checkBackupLabel(context))
  if (newest === undefined) {
    if (base === undefined) return [NONE]
    // One kind of backup is enough, and the log alone restores nothing.
    return base.found === UNKNOWN ? [base, NONE_SEEN] : [base]
  }
  const hours = (clock.now().getTime() - new Date(newest.takenAt).getTime()) / 3_600_000
  const found = `${hours.toFixed(1)} hours old`
  const own = hours < OLD_HOURS ? ok('backup', found) : warn('backup', found, 'Make a new one with npm run backup.')
  return base === undefined ? [own] : [base, own]
}

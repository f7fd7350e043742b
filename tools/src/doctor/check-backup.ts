import { newestBackup } from '../backup/manifest.ts'
import { ok, warn, type Finding } from './finding.ts'
import type { Surroundings } from './surroundings.ts'

const OLD_MS = 24 * 3_600_000

/** How old the newest backup in the default folder is. */
export async function checkBackup({ env, addresses, clock }: Surroundings): Promise<Finding[]> {
  const newest = await newestBackup(env, addresses.dataDir)
  if (newest === undefined) {
    return [
      warn(
        'backup',
        'none in the folder of backups',
        'Make one with npm run backup, and keep a copy on another machine.',
      ),
    ]
  }
  const hours = (clock.now().getTime() - new Date(newest.takenAt).getTime()) / 3_600_000
  const found = `${hours.toFixed(1)} hours old`
  return [
    hours * 3_600_000 < OLD_MS ? ok('backup', found) : warn('backup', found, 'Make a new one with npm run backup.'),
  ]
}

import { transaction } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findSettings, type Settings } from '../settings/settings.queries.ts'
import { faultsOfSettingsAfter, settingsAfter } from './apply-settings.ts'
import type { SettingsAfter } from './import-effects.ts'
import { addIssues, type Checking, type IssueList } from './issue-list.ts'
import { allowLongStatements, planningForMany, type Job } from './jobs.queries.ts'
import { matchProducts } from './match-products.queries.ts'
import { numberMadeSlugs } from './number-made-slugs.ts'
import { findRowFaults } from './row-faults.queries.ts'
import { KINDS_IN_ORDER } from './row-kinds.ts'

/** The types of rows whose names must differ, by the field of the name. */
const UNIQUE = new Map<string, string[]>()
for (const { unique, type } of KINDS_IN_ORDER) {
  if (unique !== undefined) UNIQUE.set(unique, [...(UNIQUE.get(unique) ?? []), type])
}

/**
 * Finds the stored records of the rows, and every error that their schemas cannot detect, so that a merchant can fix
 * all of them in one go.
 * @param settings of the shop before the import
 * @param lock the records that were found
 */
export async function checkImport(
  tx: Tx,
  settings: Settings,
  given: Omit<Checking, 'currency'>,
  lock: () => Promise<void> = async () => {},
): Promise<SettingsAfter> {
  const { job, issues } = given
  const after = await settingsAfter(tx, job, settings)
  if (after.settingsChanged) addIssues(issues, await faultsOfSettingsAfter(tx, job.mode, settings, after.settings))
  const checking = { ...given, currency: currencyOf(after.settings) }
  await planningForMany(tx, job.rowsRead, async () => {
    await numberMadeSlugs(tx, job.id)
    await matchProducts(tx, job.id)
    await lock()
    await findRowFaults(tx, job, UNIQUE, issues)
    for (const { check } of KINDS_IN_ORDER) await check?.(tx, checking)
  })
  return after
}

/** All errors of an import that is not applied. @param known those that were found already */
export async function findFaults(
  db: Database,
  job: Job,
  known: IssueList,
  checked: Checking['checked'] = async () => {},
): Promise<IssueList> {
  return transaction(db, async (tx) => {
    await allowLongStatements(tx)
    const issues = { ...known, shown: [...known.shown] }
    await checkImport(tx, await findSettings(tx), { job, issues, checked })
    return issues
  })
}

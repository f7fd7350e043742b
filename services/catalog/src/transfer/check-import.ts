import { transaction } from '@storefront/postgres'
import type { ImportRowType } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findSettings, type Settings } from '../settings/settings.queries.ts'
import { faultsOfSettingsAfter, settingsAfter } from './apply-settings.ts'
import { readTaxonomy } from './apply-taxonomy.ts'
import type { Checked } from './import-effects.ts'
import { addIssues, type Checking, type IssueList } from './issue-list.ts'
import { allowLongStatements, planningForMany, type Job } from './jobs.queries.ts'
import { matchProducts } from './match-products.queries.ts'
import { numberGeneratedSlugs } from './number-generated-slugs.ts'
import { findRowFaults } from './row-faults.queries.ts'
import { KINDS_IN_ORDER } from './row-kinds.ts'
import { countRows } from './staging.queries.ts'

/** The types of rows whose names must differ, by the field of the name. */
const UNIQUE = new Map<string, ImportRowType[]>()
for (const { unique, type } of KINDS_IN_ORDER) {
  if (unique !== undefined) UNIQUE.set(unique, [...(UNIQUE.get(unique) ?? []), type])
}

/**
 * Finds the stored records of the rows, and every error that their schemas cannot detect, so that a merchant can fix
 * all of them at once.
 * @param settings of the shop before the import
 * @param options.locks whether to lock the products that it changes or deletes
 */
export async function checkImport(
  tx: Tx,
  settings: Settings,
  given: Omit<Checking, 'currency' | 'productRows'>,
  { locks }: { locks: boolean },
): Promise<Checked> {
  const { job, taxonomy, issues } = given
  const after = await settingsAfter(tx, job, settings)
  addIssues(issues, after.foreignPrices)
  if (after.settingsChanged) addIssues(issues, await faultsOfSettingsAfter(tx, job.mode, settings, after.settings))
  const checking: Checking = { ...given, currency: currencyOf(after.settings), productRows: [] }
  const { renames, others } = await planningForMany(tx, job.rowsRead, async () => {
    if (job.hasGeneratedSlugs) await numberGeneratedSlugs(tx, job.id)
    const matches = await matchProducts(tx, job, { locks })
    await findRowFaults(tx, job, UNIQUE, issues)
    // Most imports have rows of one or two types, and checks of other types would take most of their time.
    for (const { type, check } of KINDS_IN_ORDER) if (job.types.has(type)) await check?.(tx, checking)
    return matches
  })
  const { productRows } = checking
  return { ...after, taxonomy, productRows, renamesProducts: renames, otherProducts: others }
}

/** All errors of an import that is not applied. @param known the errors that were already found */
export async function findFaults(
  db: Database,
  job: Job,
  known: IssueList,
  checked: Checking['checked'] = async () => {},
): Promise<IssueList> {
  return transaction(db, async (tx) => {
    await allowLongStatements(tx)
    const issues = { ...known, shown: [...known.shown] }
    const counted = { ...job, ...(await countRows(tx, job.id)) }
    const taxonomy = await readTaxonomy(tx, counted)
    await checkImport(tx, await findSettings(tx), { job: counted, taxonomy, issues, checked }, { locks: false })
    return issues
  })
}

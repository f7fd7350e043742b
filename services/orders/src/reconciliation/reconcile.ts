import { sql } from 'kysely'
import { Reconciliation } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { findReport, saveReport } from './books.queries.ts'
import { compareBooks } from './compare-books.ts'

const NEVER: Reconciliation = {
  items: [],
  total: 0,
  repaired: [],
  ok: true,
  unasked: [],
  checkedAt: null,
  durationMs: 0,
}

/** The last comparison, whichever copy of the service made it. */
export async function lastReconciliation(db: Database): Promise<Reconciliation> {
  const found = await findReport(db)
  return found ? Reconciliation.parse(found.report) : NEVER
}

/**
 * Compares the books now and keeps the report. One copy does so at a time; whoever comes meanwhile gets the last report.
 * @param options.settledAfterMs see `compareBooks`
 */
export async function reconcile(
  context: OrdersContext,
  options: { settledAfterMs?: number } = {},
): Promise<Reconciliation> {
  const { db, log } = context
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(hashtext('reconciliation'), hashtext(current_schema())) as mine`.execute(connection)
    if (rows[0]?.mine !== true) return lastReconciliation(db)
    try {
      const before = await findReport(db)
      const { report, progress } = await compareBooks(context, before, options.settledAfterMs)
      await saveReport(db, report, progress)
      for (const each of report.repaired) log.warn(each, 'reconciliation put something right')
      for (const each of report.items.slice(0, 20)) log.error(each, 'the books do not agree')
      return report
    } finally {
      await sql`select pg_advisory_unlock(hashtext('reconciliation'), hashtext(current_schema()))`.execute(connection)
    }
  })
}

import { auditSource, type ActivitySource } from '@storefront/audit'
import type { Database } from '../database.ts'

/** Who started a reconciliation, for the list of all admin activity. */
export function reconciliationActivity(db: Database): ActivitySource {
  return auditSource(db, {
    name: 'orders',
    kinds: ['reconciliation'],
    namesOf: async (rows) => rows.map(() => undefined),
    summaryOf: ({ after }) => {
      const retried = Number(after?.['webhooks'] ?? 0)
      const again = retried === 0 ? '' : ` Webhooks of payment providers processed again: ${retried}.`
      return `Orders, payments and stock were compared.${again}`
    },
  })
}

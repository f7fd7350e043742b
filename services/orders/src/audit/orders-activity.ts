import { auditSource, changeSentence, type ActivitySource, type AuditRow } from '@storefront/audit'
import type { Database } from '../database.ts'

/** Reconciliations and changes of draft orders and buyers, for the list of all admin activity. */
export function ordersActivity(db: Database): ActivitySource {
  return auditSource(db, {
    name: 'orders',
    kinds: ['draft-order', 'reconciliation', 'buyer'],
    // Buyers are not named either: an entry outlives the data of its buyer.
    namesOf: async (rows) => rows.map(() => undefined),
    summaryOf(row) {
      if (row.subjectKind === 'buyer') return aboutBuyer(row)
      return row.subjectKind === 'draft-order' ? aboutDraft(row) : aboutReconciliation(row)
    },
  })
}

function aboutDraft(row: AuditRow): string {
  if (row.action === 'send') return 'The payment link of a draft order was made.'
  return row.action === 'cancel' ? 'A draft order was canceled.' : changeSentence('A draft order', row)
}

function aboutReconciliation({ after }: AuditRow): string {
  const retried = Number(after?.['webhooks'] ?? 0)
  const again = retried === 0 ? '' : ` Webhooks of payment providers processed again: ${retried}.`
  return `Orders, payments and stock were compared.${again}`
}

const ABOUT_BUYERS: ReadonlyMap<string, string> = new Map([
  ['note', 'A note about a buyer was written.'],
  ['delete-note', 'A note about a buyer was deleted.'],
  ['export', 'The personal data of a buyer was exported.'],
  ['erase', 'The data of a guest was deleted.'],
])

function aboutBuyer(row: AuditRow): string {
  return ABOUT_BUYERS.get(row.action) ?? changeSentence('A buyer', row)
}

import { auditSource, changeSentence, type ActivitySource } from '@storefront/audit'
import { AUDITED_KINDS } from '@storefront/contracts'
import type { Database } from '../database.ts'

/** Changes of discounts for the list of all activity. An import is one entry there, which catalog keeps. */
export function cartActivity(db: Database): ActivitySource {
  return auditSource(db, {
    name: 'cart',
    kinds: AUDITED_KINDS.cart,
    withoutAction: 'import',
    namesOf: async (rows) => rows.map((row) => row.subjectId),
    summaryOf: (row) => changeSentence(`Discount “${row.subjectId}”`, row),
  })
}

import { auditSource, changeSentence, type ActivitySource, type AuditRow } from '@storefront/audit'
import { AUDITED_KINDS } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findSubjectNames } from './subject-names.queries.ts'

/** What admins did with webhooks and mails, for the list of all admin activity. */
export function notifierActivity(db: Database): ActivitySource {
  return auditSource(db, {
    name: 'notifier',
    kinds: AUDITED_KINDS.notifier,
    async namesOf(rows) {
      const found = await findSubjectNames(db, [...new Set(rows.map((row) => row.subjectId))])
      const names = new Map(found.map(({ id, name }) => [id, name]))
      return rows.map((row) => names.get(row.subjectId))
    },
    summaryOf,
  })
}

function summaryOf(row: AuditRow, name = row.subjectId): string {
  const { subjectKind: kind, action, after } = row
  if (kind === 'mail') {
    return action === 'test' ? `A test mail “${name}” was sent.` : `A mail “${name}” was queued to be sent again.`
  }
  if (kind === 'delivery') {
    const deliveries = Number(after?.['deliveries'] ?? 1)
    return deliveries === 1 ? `The delivery “${name}” was queued again.` : `${deliveries} deliveries were queued again.`
  }
  return action === 'test'
    ? `A test event was sent to the webhook endpoint “${name}”.`
    : changeSentence(`Webhook endpoint “${name}”`, row)
}

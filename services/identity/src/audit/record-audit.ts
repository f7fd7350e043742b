import { readEmailAddress } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { AuditedAction, AuditOutcome } from './audit-entry.ts'
import { insertAuditEntry } from './audit.queries.ts'
import type { Origin } from './origin.ts'

interface AuditRecord {
  action: AuditedAction
  /** `succeeded` by default */
  outcome?: AuditOutcome
  /** Id of the admin user or secret key; missing when neither was authenticated. */
  actor?: string | undefined
  /** Id of the changed object. */
  subject?: string | undefined
  /**
   * As it was typed. Not stored unless it looks like an email address, because people type passwords into the wrong
   * field.
   */
  email?: string | undefined
  /** Names of the changed fields. Never values: some of them are secret. */
  fields?: readonly string[] | undefined
  origin: Origin
  at: Date
}

/** Records, in the transaction of the change, who made it and from where. */
export async function recordAudit(tx: Tx, record: AuditRecord): Promise<void> {
  const { action, outcome = 'succeeded', actor, subject, email, fields = [], origin, at } = record
  await insertAuditEntry(tx, {
    at,
    action,
    outcome,
    actor: actor ?? null,
    subject: subject ?? null,
    email: readEmailAddress(email ?? '')?.typed ?? null,
    fields: [...fields],
    address: origin.address,
    user_agent: origin.userAgent,
    request_id: origin.requestId,
  })
}

import { readEmailAddress } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { AuditedAction, AuditOutcome } from './audit-entry.ts'
import { insertAuditEntry } from './audit.queries.ts'
import type { Origin } from './origin.ts'

export interface AuditRecord {
  action: AuditedAction
  /** `succeeded` unless told otherwise */
  outcome?: AuditOutcome
  /** Id of the admin user or secret key; left out when nobody proved to be one. */
  actor?: string | undefined
  /** Id of what it was about. */
  subject?: string | undefined
  /** As it was typed. Not kept when it does not look like an address: people type passwords into the wrong field. */
  email?: string | undefined
  /** Names of what was changed. Never values: some of them are secret. */
  fields?: readonly string[] | undefined
  origin: Origin
  at: Date
}

/** Writes down, in the transaction of what was done, who did it and from where. */
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

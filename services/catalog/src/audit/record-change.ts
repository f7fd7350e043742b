import { recordAction, type AuditedFields } from '@storefront/audit'
import type { Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'

export { actorIdOf as nameOf, recordChange } from '@storefront/audit'

/** Writes one audit entry for a change of many records, with a summary of them. */
export async function recordImport(
  tx: Tx,
  { actor, id, summary, at }: { actor: Actor; id: string; summary: AuditedFields; at: Date },
): Promise<void> {
  await recordAction(tx, { actor, action: 'import', subject: { kind: 'import', id }, after: summary, at })
}

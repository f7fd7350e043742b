import type { Tx } from '../database.ts'
import { lastOwner } from '../errors.ts'
import { hasOtherEnabledOwner, type AdminWithPassword } from './admins.queries.ts'

/**
 * Call this before an owner loses the role, under the lock of admin users: when two lose it at the same moment, one
 * must remain.
 * @throws HttpError `conflict` when this is the last owner who can sign in
 */
export async function requireAnotherOwner(tx: Tx, { id, role, disabled_at }: AdminWithPassword): Promise<void> {
  if (role !== 'owner' || disabled_at !== null) return
  if (!(await hasOtherEnabledOwner(tx, id))) throw lastOwner()
}

import type { StoredSecret } from '@storefront/service'
import type { Tx } from '../database.ts'

export interface StoredSecondFactor extends StoredSecret {
  admin_user_id: string
  confirmed_at: Date | null
  last_step: number
}

const COLUMNS = ['admin_user_id', 'secret', 'sealed_with', 'confirmed_at', 'last_step'] as const

export async function findSecondFactor(tx: Tx, adminUserId: string): Promise<StoredSecondFactor | undefined> {
  return tx
    .selectFrom('admin_second_factors')
    .select(COLUMNS)
    .where('admin_user_id', '=', adminUserId)
    .executeTakeFirst()
}

/** For encrypting them again: no other transaction changes them meanwhile. */
export async function listSecondFactors(tx: Tx): Promise<StoredSecondFactor[]> {
  return tx.selectFrom('admin_second_factors').select(COLUMNS).orderBy('admin_user_id').forUpdate().execute()
}

/** Replaces one that was only prepared. */
export async function insertSecondFactor(
  tx: Tx,
  adminUserId: string,
  { secret, sealed_with }: StoredSecret,
  preparedAt: Date,
): Promise<void> {
  const stored = { secret, sealed_with, prepared_at: preparedAt, confirmed_at: null, last_step: 0 }
  await tx
    .insertInto('admin_second_factors')
    .values({ admin_user_id: adminUserId, ...stored })
    .onConflict((conflict) => conflict.column('admin_user_id').doUpdateSet(stored))
    .execute()
}

export async function updateSecret(tx: Tx, adminUserId: string, { secret, sealed_with }: StoredSecret): Promise<void> {
  await tx
    .updateTable('admin_second_factors')
    .set({ secret, sealed_with })
    .where('admin_user_id', '=', adminUserId)
    .execute()
}

/** @returns false when the code of this step, or of a later one, was used before */
export async function useStep(tx: Tx, adminUserId: string, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('admin_second_factors')
    .set({ last_step: step })
    .where('admin_user_id', '=', adminUserId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** @returns false when there is no such code, or it is already used */
export async function useRecoveryCode(tx: Tx, adminUserId: string, digest: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('admin_recovery_codes')
    .where('admin_user_id', '=', adminUserId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function confirmSecondFactor(tx: Tx, adminUserId: string, digests: string[], now: Date): Promise<void> {
  await tx
    .updateTable('admin_second_factors')
    .set({ confirmed_at: now })
    .where('admin_user_id', '=', adminUserId)
    .execute()
  await tx
    .insertInto('admin_recovery_codes')
    .values(digests.map((digest) => ({ admin_user_id: adminUserId, digest })))
    .execute()
}

/** With its recovery codes. @returns whether it was on; one that was only prepared is deleted as well */
export async function deleteSecondFactor(tx: Tx, adminUserId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('admin_second_factors')
    .where('admin_user_id', '=', adminUserId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.confirmed_at !== null
}

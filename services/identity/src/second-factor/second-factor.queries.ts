import type { StoredSecret } from '@storefront/service'
import type { Row, Tx } from '../database.ts'

const COLUMNS = ['admin_user_id', 'secret', 'sealed_with', 'confirmed_at', 'last_step'] as const

export type StoredSecondFactor = Pick<Row<'admin_second_factors'>, (typeof COLUMNS)[number]>

export async function findSecondFactor(tx: Tx, adminUserId: string): Promise<StoredSecondFactor | undefined> {
  return tx
    .selectFrom('admin_second_factors')
    .select(COLUMNS)
    .where('admin_user_id', '=', adminUserId)
    .executeTakeFirst()
}

/** Locks all of them, to encrypt them again. */
export async function listSecondFactors(tx: Tx): Promise<StoredSecondFactor[]> {
  return tx.selectFrom('admin_second_factors').select(COLUMNS).orderBy('admin_user_id').forUpdate().execute()
}

/** Replaces a second factor that was prepared and not confirmed. */
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

/** Deletes it with its recovery codes, even if it was only prepared. @returns whether it was on */
export async function deleteSecondFactor(tx: Tx, adminUserId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('admin_second_factors')
    .where('admin_user_id', '=', adminUserId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.confirmed_at !== null
}

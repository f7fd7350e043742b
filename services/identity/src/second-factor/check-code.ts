import { decryptSecret, type HttpError, type Encryption } from '@storefront/service'
import type { AuditOutcome } from '../audit/audit-entry.ts'
import { attempts, CODE_ATTEMPTS } from '../attempts/attempt.ts'
import type { Tx } from '../database.ts'
import { wrongCode, tooManyAttempts } from '../errors.ts'
import { readCode, stepOf, type TypedCode } from './second-factor.ts'
import { useRecoveryCode, useStep, type StoredSecondFactor } from './second-factor.queries.ts'

type CodeCheck =
  | { isRight: true; with: 'totp' | 'recovery' }
  /** `outcome` is the audit entry to write, if any. */
  | { isRight: false; error: HttpError; outcome: AuditOutcome | undefined }

/**
 * Whether a code is correct and was not used before; marks it as used. Errors are returned and not thrown, because the
 * transaction must commit so that the attempt counts.
 * @param factor read in the same transaction, under the lock of its user
 */
export async function checkCode(
  tx: Tx,
  factor: StoredSecondFactor,
  typed: string,
  { encryption, now }: { encryption: Encryption | undefined; now: Date },
): Promise<CodeCheck> {
  const adminUserId = factor.admin_user_id
  const attempt = { kind: 'second_factor', of: adminUserId } as const
  const verdict = await attempts.count(tx, attempt, { atMost: CODE_ATTEMPTS, now })
  if (!verdict.allowed) {
    const error = tooManyAttempts(verdict.retryAfterSeconds)
    return { isRight: false, error, outcome: verdict.isFirst ? 'too_many' : undefined }
  }
  const code = readCode(typed)
  if (!(await isValidCode(tx, factor, code, { encryption, now }))) {
    return { isRight: false, error: wrongCode(), outcome: 'wrong_code' }
  }
  await attempts.clear(tx, attempt)
  return { isRight: true, with: code.kind }
}

async function isValidCode(
  tx: Tx,
  factor: StoredSecondFactor,
  code: TypedCode,
  { encryption, now }: { encryption: Encryption | undefined; now: Date },
): Promise<boolean> {
  const adminUserId = factor.admin_user_id
  if (code.kind === 'recovery') return useRecoveryCode(tx, adminUserId, code.digest)
  const secret = decryptFactor(encryption, factor)
  const step = secret === undefined ? undefined : stepOf(secret, code.digits, now)
  return step !== undefined && (await useStep(tx, adminUserId, step))
}

/** @returns undefined when it cannot be decrypted: the factor stays on, and only recovery codes are correct */
function decryptFactor(encryption: Encryption | undefined, factor: StoredSecondFactor): string | undefined {
  try {
    return decryptSecret(encryption, factor, factor.admin_user_id)
  } catch {
    return undefined
  }
}

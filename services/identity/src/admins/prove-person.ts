import type { Actor, AdminRole } from '@storefront/contracts'
import { z } from 'zod'
import type { Refusal } from '@storefront/chassis'
import type { Dependencies } from '../app.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { missingCode, missingPassword, personNeeded } from '../errors.ts'
import { checkCode } from '../second-factor/check-code.ts'
import { findSecondFactor } from '../second-factor/second-factor.queries.ts'
import { adminOf } from '../sessions/caller.ts'
import type { AdminWithPassword } from './admins.queries.ts'
import { checkOwnPassword, lockChecked, type Trying } from './check-own-password.ts'

/** In the body of the request that needs it: the password of who asks, and a code where that person's second factor is on. */
export const PersonProof = z.object({
  currentPassword: z.string().nullish().describe('Your own password, where the operation asks for it.'),
  code: z
    .string()
    .nullish()
    .describe('From your authenticator app, or a recovery code; needed where your second factor is on.'),
})
export type PersonProof = z.output<typeof PersonProof>

interface AdminChange {
  role?: AdminRole | undefined
  password?: unknown
  secondFactor?: false | undefined
}

/**
 * What takes the shop over for good, and a stolen session must not be enough for: to make somebody an owner, to change or
 * remove one, and to get at the account of somebody else.
 * @param before undefined for a user who is added
 */
export function needsProof(before: AdminRole | undefined, change: AdminChange): boolean {
  if (before === 'owner' || change.role === 'owner') return true
  return before !== undefined && (change.password !== undefined || change.secondFactor === false)
}

export interface ProvenPerson {
  user: AdminWithPassword
  code: string | undefined
  trying: Trying
}

/**
 * Checks the password, outside of the transaction because that takes long.
 * @throws Refusal `forbidden` for a secret key, `missing_credentials`, `invalid_credentials` or `rate_limited`
 */
export async function proveByPassword(
  dependencies: Dependencies,
  actor: Actor,
  { currentPassword, code }: PersonProof,
  trying: Trying,
): Promise<ProvenPerson> {
  if (actor.kind !== 'admin' || actor.sessionId === undefined) throw personNeeded()
  if (!currentPassword) throw missingPassword()
  const user = await checkOwnPassword(dependencies, adminOf(actor).userId, currentPassword, trying)
  return { user, code: code ?? undefined, trying }
}

/**
 * The rest of the proof, in the transaction of what it is for: a code that was right is used up with it alone.
 * @returns why not; an answer and no error, because the attempt has to commit
 * @throws Refusal `missing_credentials`, or `unauthenticated` when the password was changed meanwhile
 */
export async function proveByCode(
  tx: Tx,
  { user, code, trying }: ProvenPerson,
  { seals }: Pick<Dependencies, 'seals'>,
  now: Date,
): Promise<Refusal | undefined> {
  await lockChecked(tx, user)
  const factor = await findSecondFactor(tx, user.id)
  if (!factor?.confirmed_at) return undefined
  if (!code) throw missingCode()
  const check = await checkCode(tx, factor, code, { seal: seals.secondFactors, now })
  if (check.isRight) return undefined
  if (check.outcome) {
    await recordAudit(tx, { subject: user.id, ...trying, outcome: check.outcome, actor: user.id, at: now })
  }
  return check.refusal
}

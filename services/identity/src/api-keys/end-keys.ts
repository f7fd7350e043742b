import { ROLE_PERMISSIONS, type AdminRole } from '@storefront/contracts'
import type { Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { REVOCATION_REMEMBERED_MS } from './api-key.ts'
import { listKeysOf, lockApiKeys, revokeKeys, revokeKeysMadeBy, type RevokedApiKey } from './api-keys.queries.ts'

/** Why a key was ended that the request did not name; shown in the audit. */
export type KeyEnd =
  | 'user_removed'
  | 'user_disabled'
  | 'role_changed'
  | 'password_changed'
  | 'all_revoked'
  | 'maker_revoked'

/** Who ends keys, and the origin of the request: for the audit. */
export interface EndingKeys {
  actor: string
  origin: Origin
  at: Date
}

/** The effect on the keys of an admin user. */
export interface EndedKeys {
  /** To be sent to the gateways after the transaction has committed. */
  revoked: Revoked[]
  /** Secret keys that stay valid. */
  left: number
}

/**
 * Revokes secret keys of an admin user, including those that their keys have created. The user is already locked, so
 * that no key is created meanwhile.
 * @param options.beyond revokes only keys that have a permission which this role lacks; if omitted, all
 */
export async function endKeysOf(
  tx: Tx,
  makerId: string,
  why: KeyEnd,
  ending: EndingKeys,
  { beyond }: { beyond?: AdminRole } = {},
): Promise<EndedKeys> {
  await lockApiKeys(tx)
  const keys = await listKeysOf(tx, makerId, ending.at)
  const toRevoke = keys.filter(({ permissions }) => beyond === undefined || exceedsRole(beyond, permissions))
  const ids = toRevoke.map(({ id }) => id)
  const ended = await revokeKeys(tx, ids, ending.at)
  await recordEnds(tx, ended, why, ending)
  const revoked = [...forGateways(ended, ending.at), ...(await endKeysMadeBy(tx, ids, ending))]
  return { revoked, left: keys.length - revoked.length }
}

function exceedsRole(role: AdminRole, permissions: readonly string[]): boolean {
  const held: readonly string[] = ROLE_PERMISSIONS[role]
  return permissions.some((permission) => !held.includes(permission))
}

/** How many secret keys of an admin user are valid. */
export async function countKeysOf(tx: Tx, makerId: string, now: Date): Promise<number> {
  return (await listKeysOf(tx, makerId, now)).length
}

/** Revokes the keys that these keys have created: the holder of a key may know those as well. */
export async function endKeysMadeBy(tx: Tx, keyIds: readonly string[], ending: EndingKeys): Promise<Revoked[]> {
  const revoked = await revokeKeysMadeBy(tx, keyIds, ending.at)
  await recordEnds(tx, revoked, 'maker_revoked', ending)
  return forGateways(revoked, ending.at)
}

/** The revocations to send to the gateways: none for a publishable key. */
export function forGateways(keys: readonly RevokedApiKey[], now: Date): Revoked[] {
  const expires_at = new Date(now.getTime() + REVOCATION_REMEMBERED_MS)
  return keys.filter(({ kind }) => kind === 'secret').map(({ id }) => ({ id, expires_at }))
}

async function recordEnds(
  tx: Tx,
  keys: readonly RevokedApiKey[],
  why: KeyEnd,
  { actor, origin, at }: EndingKeys,
): Promise<void> {
  for (const { id } of keys)
    await recordAudit(tx, { action: 'revoke_key', actor, subject: id, fields: [why], origin, at })
}

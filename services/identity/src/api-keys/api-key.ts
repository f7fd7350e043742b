import { randomBytes } from 'node:crypto'
import { apiKeyDigest, Permission, ROLE_PERMISSIONS, Timestamp, type AdminRole } from '@storefront/contracts'
import { z } from 'zod'
import { oneLine } from '../accounts/account.ts'
import { PersonProof } from '../admins/prove-person.ts'
import { strongerThanItsMaker, unusableApiKey } from '../errors.ts'

export const MAX_API_KEYS = 100
/** A key that is over stays in the list for as long as somebody might look for it. */
export const KEPT_AFTER_END_MS = 90 * 24 * 3600 * 1000
/** A gateway goes by what it knows of a key for an hour at most, when identity is away; after that it has to ask. */
export const REVOCATION_REMEMBERED_MS = 24 * 3600 * 1000

/**
 * What leads to the users, keys and credentials of the shop. A key that has one of these takes the password of its maker, ends
 * soon, and is made by a person.
 */
export const PROTECTED_PERMISSIONS: readonly Permission[] = ['admins:write', 'credentials:write']
const PROTECTED = `a key with ${PROTECTED_PERMISSIONS.join(' or ')}`
const PROTECTED_DAYS = 90
const MAX_YEARS = 10
const DAY_MS = 24 * 3600 * 1000
const SECRET_BYTES = 32
const PUBLISHABLE_BYTES = 24
const HINT_LENGTH = 7

const ApiKeyKind = z.enum(['secret', 'publishable'])

export const ApiKey = z
  .object({
    id: z.string().describe('Audits name the key by it; it is no secret.'),
    name: z.string().describe('What the key is for, in the words of who made it.'),
    kind: ApiKeyKind.describe('A secret key opens /admin; a publishable one opens what is public anyway.'),
    permissions: z
      .array(Permission)
      .describe('What a secret key may do now: never more than its maker; empty for a publishable one.'),
    hint: z.string().describe('The first characters of the key, to recognize it by.'),
    expiresAt: Timestamp.nullable().describe('When a secret key ends; null when it does not.'),
    createdAt: Timestamp.describe('When the key was made.'),
    createdBy: z.string().describe('Id of the admin user or secret key that made it.'),
    maker: z
      .string()
      .nullable()
      .describe(
        'Id of the admin user whose key it is, also when another key made it: it may do no more and ends with this user. ' +
          'Null on a key of an older version whose maker cannot sign in any more.',
      ),
    lastUsedAt: Timestamp.nullable().describe('About when a secret key was last used; null for one that never was.'),
    revokedAt: Timestamp.nullable().describe('When the key was revoked; null when it was not.'),
    key: z
      .string()
      .exactOptional()
      .describe('The key itself: a secret one only in the reply that makes it, a publishable one always.'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

export const NewApiKey = z
  .object({
    name: oneLine(100).min(1).describe('What the key is for; shown in lists and audits.'),
    kind: ApiKeyKind.default('secret').describe('A secret key is for servers, a publishable one for storefronts.'),
    permissions: z
      .array(Permission)
      .max(100)
      .default([])
      .describe('At least one for a secret key, each of which you have yourself; none for a publishable one.'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'When a secret key is to end: within ten years, or, with `admins:write` or `credentials:write`, within 90 days, and then ' +
          'it must be there. Left out, a key ends with its maker; one that a key makes ends with that key at the latest.',
      ),
    ...PersonProof.shape,
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.output<typeof NewApiKey>

export interface StoredApiKey {
  id: string
  kind: ApiKey['kind']
  name: string
  permissions: string[]
  publishable_key: string | null
  hint: string
  created_at: Date
  created_by: string
  maker_id: string | null
  /** Null without a maker, or when that user was removed. */
  maker_role: AdminRole | null
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

/** What is written down of a key, and the key itself, which is not. */
export function generateKey(kind: ApiKey['kind']) {
  if (kind === 'publishable') {
    const key = `pk_${randomBytes(PUBLISHABLE_BYTES).toString('base64url')}`
    return { key, digest: null, publishable_key: key, hint: key.slice(0, HINT_LENGTH) }
  }
  const key = `sk_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { key, digest: apiKeyDigest(key), publishable_key: null, hint: key.slice(0, HINT_LENGTH) }
}

/** What a key is made with: by a person, or by another key, which ends then. */
export interface KeyMaker {
  role: AdminRole
  /** Undefined for a person. */
  key?: { permissions: readonly string[]; expires_at: Date | null } | undefined
}

/** Whether a key leads to the users, keys or credentials of the shop. */
export function isProtected({ kind, permissions }: Pick<NewApiKey, 'kind' | 'permissions'>): boolean {
  return kind === 'secret' && permissions.some((permission) => PROTECTED_PERMISSIONS.includes(permission))
}

/**
 * @returns when it ends, if ever
 * @throws Refusal `validation_failed` for a secret key without permissions, a publishable one with some, an end that is missing
 * where one is needed, in the past, too far away or after that of the key that makes it
 */
export function requireReasonableEnd(wanted: NewApiKey, now: Date): Date | null {
  const { kind, permissions, expiresAt } = wanted
  if (kind === 'publishable') {
    if (permissions.length > 0) throw unusableApiKey('permissions', 'must be empty for a publishable key')
    if (expiresAt !== undefined) throw unusableApiKey('expiresAt', 'has no meaning for a publishable key')
    return null
  }
  if (permissions.length === 0) throw unusableApiKey('permissions', 'must name at least one')
  const mustEndSoon = isProtected(wanted)
  if (expiresAt === undefined) {
    if (!mustEndSoon) return null
    throw unusableApiKey('expiresAt', `is missing, and must be within ${PROTECTED_DAYS} days for ${PROTECTED}`)
  }
  const end = new Date(expiresAt)
  if (end <= now) throw unusableApiKey('expiresAt', 'must be in the future')
  if (mustEndSoon && end.getTime() > now.getTime() + PROTECTED_DAYS * DAY_MS) {
    throw unusableApiKey('expiresAt', `must be within ${PROTECTED_DAYS} days for ${PROTECTED}`)
  }
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS)
  if (end > latest) throw unusableApiKey('expiresAt', `must be within ${MAX_YEARS} years`)
  return end
}

/**
 * @param end of the new key, null for none
 * @returns the end of the new key: one that a key makes ends with that key at the latest
 * @throws Refusal `forbidden` for a key that may do more than its maker, `validation_failed` for one that would outlive it
 */
export function requireWithinMaker(permissions: readonly Permission[], end: Date | null, maker: KeyMaker): Date | null {
  const held = effectivePermissions(maker.key?.permissions ?? Permission.options, maker.role)
  const missing = permissions.filter((permission) => !held.includes(permission))
  if (missing.length > 0) throw strongerThanItsMaker(missing)
  const latest = maker.key?.expires_at ?? null
  if (latest === null) return end
  if (end !== null && end > latest) {
    throw unusableApiKey('expiresAt', `must not be after ${latest.toISOString()}, when the key that makes it ends`)
  }
  return end ?? latest
}

/**
 * What a secret key may do at this moment.
 * @param granted what it was made with
 * @param role of its maker now; null for a key of an older version whose maker cannot sign in any more
 * @returns in one order, each once; what a later version granted is left out
 */
export function effectivePermissions(granted: readonly string[], role: AdminRole | null): Permission[] {
  const allowed: readonly Permission[] =
    role === null ? Permission.options.filter((one) => !PROTECTED_PERMISSIONS.includes(one)) : ROLE_PERMISSIONS[role]
  return Permission.options.filter((permission) => granted.includes(permission) && allowed.includes(permission))
}

export function toApiKey(stored: StoredApiKey): ApiKey {
  return {
    id: stored.id,
    name: stored.name,
    kind: stored.kind,
    permissions: effectivePermissions(stored.permissions, stored.maker_role),
    hint: stored.hint,
    expiresAt: stored.expires_at?.toISOString() ?? null,
    createdAt: stored.created_at.toISOString(),
    createdBy: stored.created_by,
    maker: stored.maker_id,
    lastUsedAt: stored.last_used_at?.toISOString() ?? null,
    revokedAt: stored.revoked_at?.toISOString() ?? null,
    ...(stored.publishable_key === null ? {} : { key: stored.publishable_key }),
  }
}

import { DAY_MS } from '@storefront/service'
import { randomBytes } from 'node:crypto'
import { apiKeyDigest, Permission, ROLE_PERMISSIONS, Timestamp, type AdminRole } from '@storefront/contracts'
import { z } from 'zod'
import { oneLine } from '../accounts/account.ts'
import { ReauthenticationFields } from '../admins/re-authenticate.ts'
import type { Row } from '../database.ts'
import { keyExceedsOwnPermissions, unusableApiKey } from '../errors.ts'

export const MAX_API_KEYS = 100
/** How long an expired or revoked key stays in the list, where a person may look for it. */
export const KEPT_AFTER_END_MS = 90 * DAY_MS
/**
 * Longer than a gateway uses cached data of a key, which is an hour while identity is down.
 */
export const REVOCATION_REMEMBERED_MS = DAY_MS

/**
 * Permissions that give access to the users, keys and credentials of the shop. A key that has one of these requires
 * the password of its creator, expires soon, and is created by a person.
 */
const PROTECTED_PERMISSIONS: readonly Permission[] = ['admins:write', 'credentials:write']
const PROTECTED = `a key with ${PROTECTED_PERMISSIONS.join(' or ')}`
const PROTECTED_DAYS = 90
const MAX_YEARS = 10
const SECRET_BYTES = 32
const PUBLISHABLE_BYTES = 24
const HINT_LENGTH = 7

const ApiKeyKind = z.enum(['secret', 'publishable'])

export const ApiKey = z
  .object({
    id: z.string().describe("Shown as the key's name in audits; not secret."),
    name: z.string().describe('The purpose of the key, in the words of its creator.'),
    kind: ApiKeyKind.describe('A secret key opens /admin; a publishable one opens only what is public anyway.'),
    permissions: z
      .array(Permission)
      .describe("The current permissions of a secret key: never more than its creator's; empty for a publishable one."),
    hint: z.string().describe('The first characters of the key, to recognize it by.'),
    expiresAt: Timestamp.nullable().describe('When a secret key expires; null when it does not.'),
    createdAt: Timestamp.describe('When the key was created.'),
    createdBy: z.string().describe('Id of the admin user or secret key that created it.'),
    maker: z
      .string()
      .nullable()
      .describe(
        'Id of the admin user whose key it is, also when another key created it: it never has more permissions than this user, and ends with it. ' +
          'Null on a key of an older version whose creator cannot sign in any more.',
      ),
    lastUsedAt: Timestamp.nullable().describe('The approximate last use of a secret key; null if it was never used.'),
    revokedAt: Timestamp.nullable().describe('When the key was revoked; null if it was not.'),
    key: z
      .string()
      .exactOptional()
      .describe('The key itself: a secret one only in the response that creates it, a publishable one always.'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

export const NewApiKey = z
  .object({
    name: oneLine(100).min(1).describe('The purpose of the key; shown in lists and audits.'),
    kind: ApiKeyKind.default('secret').describe('A secret key is for servers, a publishable one for storefronts.'),
    permissions: z
      .array(Permission)
      .max(100)
      .default([])
      .describe('At least one for a secret key, each of which you must have yourself; none for a publishable one.'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'When a secret key expires: within ten years, or, with `admins:write` or `credentials:write`, within 90 days, and then ' +
          'it is required. If omitted, a key ends with its creator; one that a key creates ends with that key at the latest.',
      ),
    ...ReauthenticationFields.shape,
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.output<typeof NewApiKey>

export interface StoredApiKey extends Omit<Row<'api_keys'>, 'digest' | 'shared_at'> {
  /** Null without a creator, or when that user was removed. */
  maker_role: AdminRole | null
}

/** The stored fields of a key, and the key itself, which is not stored. */
export function generateKey(kind: ApiKey['kind']) {
  if (kind === 'publishable') {
    const key = `pk_${randomBytes(PUBLISHABLE_BYTES).toString('base64url')}`
    return { key, digest: null, publishable_key: key, hint: key.slice(0, HINT_LENGTH) }
  }
  const key = `sk_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { key, digest: apiKeyDigest(key), publishable_key: null, hint: key.slice(0, HINT_LENGTH) }
}

/** Who creates a key: a person, or another key, with which it ends. */
export interface KeyMaker {
  role: AdminRole
  /** Undefined for a person. */
  key?: { permissions: readonly string[]; expires_at: Date | null } | undefined
}

/** Whether a key gives access to the users, keys or credentials of the shop. */
export function isProtected({ kind, permissions }: Pick<NewApiKey, 'kind' | 'permissions'>): boolean {
  return kind === 'secret' && permissions.some((permission) => PROTECTED_PERMISSIONS.includes(permission))
}

/**
 * @returns when it expires, if ever
 * @throws HttpError `validation_failed` for a secret key without permissions, a publishable one with some, an expiry
 * that is missing where one is required, in the past, too far away or after that of the key that creates it
 */
export function requireReasonableEnd(wanted: NewApiKey, now: Date): Date | null {
  const { kind, permissions, expiresAt } = wanted
  if (kind === 'publishable') {
    if (permissions.length > 0) throw unusableApiKey('permissions', 'must be empty for a publishable key')
    if (expiresAt !== undefined) throw unusableApiKey('expiresAt', 'must be omitted for a publishable key')
    return null
  }
  if (permissions.length === 0) throw unusableApiKey('permissions', 'must name at least one permission')
  const mustEndSoon = isProtected(wanted)
  if (expiresAt === undefined) {
    if (!mustEndSoon) return null
    throw unusableApiKey('expiresAt', `is required, and must be within ${PROTECTED_DAYS} days, for ${PROTECTED}`)
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
 * @returns the expiry of the new key: one that a key creates ends with that key at the latest
 * @throws HttpError `forbidden` for a key with more permissions than its creator, `validation_failed` for one that
 * would outlive it
 */
export function requireWithinMaker(permissions: readonly Permission[], end: Date | null, maker: KeyMaker): Date | null {
  const held = effectivePermissions(maker.key?.permissions ?? Permission.options, maker.role)
  const missing = permissions.filter((permission) => !held.includes(permission))
  if (missing.length > 0) throw keyExceedsOwnPermissions(missing)
  const latest = maker.key?.expires_at ?? null
  if (latest === null) return end
  if (end !== null && end > latest) {
    throw unusableApiKey('expiresAt', `must not be after ${latest.toISOString()}, when the key that creates it ends`)
  }
  return end ?? latest
}

/**
 * The permissions of a secret key at this moment.
 * @param granted when it was created
 * @param role of its creator now; null for a key of an older version whose creator cannot sign in any more
 * @returns in a fixed order, each once; without those that only a later version knows
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

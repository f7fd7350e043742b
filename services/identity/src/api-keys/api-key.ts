import { randomBytes } from 'node:crypto'
import { apiKeyDigest, Permission, Timestamp, type Actor } from '@storefront/contracts'
import { z } from 'zod'
import { oneLine } from '../accounts/account.ts'
import { strongerThanItsMaker, unusableApiKey } from '../errors.ts'

export const MAX_API_KEYS = 100
/** A key that is over stays in the list for as long as somebody might look for it. */
export const KEPT_AFTER_END_MS = 90 * 24 * 3600 * 1000
/** A gateway goes by what it knows of a key for an hour at most, when identity is away; after that it has to ask. */
export const REVOCATION_REMEMBERED_MS = 24 * 3600 * 1000

const MAX_YEARS = 10
const SECRET_BYTES = 32
const PUBLISHABLE_BYTES = 24
const HINT_LENGTH = 7

const ApiKeyKind = z.enum(['secret', 'publishable'])

export const ApiKey = z
  .object({
    id: z.string().describe('Audits name the key by it; it is no secret.'),
    name: z.string().describe('What the key is for, in the words of who made it.'),
    kind: ApiKeyKind.describe('A secret key opens /admin; a publishable one opens what is public anyway.'),
    permissions: z.array(Permission).describe('What a secret key may do; empty for a publishable one.'),
    hint: z.string().describe('The first characters of the key, to recognize it by.'),
    expiresAt: Timestamp.nullable().describe('When a secret key ends; null when it does not.'),
    createdAt: Timestamp.describe('When the key was made.'),
    createdBy: z.string().describe('Id of the admin user or secret key that made it.'),
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
      .describe('When a secret key is to end, within ten years; left out, it does not end.'),
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

/**
 * @returns when it ends, if ever
 * @throws Refusal `validation_failed` for a secret key that may do nothing, a publishable one that may do something, and an
 * end in the past or too far away; `forbidden` for a key that may do more than whoever makes it
 */
export function requireReasonable({ kind, permissions, expiresAt }: NewApiKey, maker: Actor, now: Date): Date | null {
  if (kind === 'publishable') {
    if (permissions.length > 0) throw unusableApiKey('permissions', 'must be empty for a publishable key')
    if (expiresAt !== undefined) throw unusableApiKey('expiresAt', 'has no meaning for a publishable key')
    return null
  }
  if (permissions.length === 0) throw unusableApiKey('permissions', 'must name at least one')
  const held = maker.kind === 'admin' ? maker.permissions : []
  const missing = permissions.filter((permission) => !held.includes(permission))
  if (missing.length > 0) throw strongerThanItsMaker(missing)
  if (expiresAt === undefined) return null
  const end = new Date(expiresAt)
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS)
  if (end <= now) throw unusableApiKey('expiresAt', 'must be in the future')
  if (end > latest) throw unusableApiKey('expiresAt', `must be within ${MAX_YEARS} years`)
  return end
}

export function toApiKey(stored: StoredApiKey): ApiKey {
  return {
    id: stored.id,
    name: stored.name,
    kind: stored.kind,
    // In one order, each once; what a later version granted is left out.
    permissions: Permission.options.filter((permission) => stored.permissions.includes(permission)),
    hint: stored.hint,
    expiresAt: stored.expires_at?.toISOString() ?? null,
    createdAt: stored.created_at.toISOString(),
    createdBy: stored.created_by,
    lastUsedAt: stored.last_used_at?.toISOString() ?? null,
    revokedAt: stored.revoked_at?.toISOString() ?? null,
    ...(stored.publishable_key === null ? {} : { key: stored.publishable_key }),
  }
}

import type { KeyObject } from 'node:crypto'
import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose'
import type { Encryption } from '@storefront/service'
import { CLOCK_SKEW_MS, TOKEN_AUDIENCES, TOKEN_ISSUER } from '@storefront/contracts'
import type { Connection } from '../database.ts'
import type { SessionOwner } from '../sessions/session.ts'
import { ALGORITHM, KEPT_AFTER_RETIREMENT_MS, decryptPrivateKey } from './signing-key.ts'
import { findSigningKey, listPublicKeys } from './signing-keys.queries.ts'

interface TokenRequest {
  sessionId: string
  owner: SessionOwner
  /** Where the token is accepted; by default as its owner requires. */
  audience?: keyof typeof TOKEN_AUDIENCES
  issuedAt: Date
  expiresAt: Date
}

export interface Tokens {
  /**
   * Part of the start: decrypts the current signing key, because a replica with a newer SECRETS_KEY may encrypt it
   * again before this one signs its first token.
   */
  prepare(connection: Connection, now: Date): Promise<void>
  issue(connection: Connection, request: TokenRequest): Promise<string>
  /**
   * @param authorization the header, `Bearer …`
   * @param audience where the token is accepted
   * @returns the session that a token of this service names; undefined when there is none or it is not valid
   */
  sessionOf(
    connection: Connection,
    authorization: string | undefined,
    audience: keyof typeof TOKEN_AUDIENCES,
    now: Date,
  ): Promise<string | undefined>
}

/** Signs tokens that the gateway verifies with the public keys. */
export function createTokens(encryption: Encryption | undefined): Tokens {
  const decrypted = new Map<string, KeyObject>()

  async function signingKey(connection: Connection, now: Date): Promise<{ kid: string; key: KeyObject }> {
    // Read each time, because another replica may have rotated the key; hashing a password takes far longer.
    const stored = await findSigningKey(connection, now)
    if (!stored) throw new Error('there is no signing key')
    const key = decrypted.get(stored.kid) ?? decryptPrivateKey(encryption, stored)
    decrypted.set(stored.kid, key)
    return { kid: stored.kid, key }
  }

  return {
    async prepare(connection, now) {
      await signingKey(connection, now)
    },

    async issue(connection, { sessionId, owner, audience = owner.kind, issuedAt, expiresAt }) {
      const { kid, key } = await signingKey(connection, issuedAt)
      const claims = owner.kind === 'customer' ? { sid: sessionId } : { sid: sessionId, perms: owner.permissions }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
        .setIssuer(TOKEN_ISSUER)
        .setAudience(TOKEN_AUDIENCES[audience])
        .setSubject(owner.kind === 'customer' ? owner.customerId : owner.adminUserId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key)
    },

    async sessionOf(connection, authorization, audience, now) {
      const token = /^Bearer +(\S{1,4096})$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) return undefined
      const keys = await listPublicKeys(connection, new Date(now.getTime() - KEPT_AFTER_RETIREMENT_MS))
      try {
        const { payload } = await jwtVerify(token, createLocalJWKSet({ keys }), {
          algorithms: [ALGORITHM],
          issuer: TOKEN_ISSUER,
          audience: TOKEN_AUDIENCES[audience],
          clockTolerance: CLOCK_SKEW_MS / 1000,
          currentDate: now,
        })
        return typeof payload['sid'] === 'string' ? payload['sid'] : undefined
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

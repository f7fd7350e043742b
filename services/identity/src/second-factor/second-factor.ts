import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** RFC 6238 with parameters that every authenticator app understands. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** A clock may be off by one step, and a code takes a moment to type. */
const WINDOW = 1
const SECRET_BYTES = 20

const RECOVERY_CODES = 10
/** Crockford's alphabet: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 125 random bits: with 112 or more a digest needs no salt. */
const RECOVERY_CODE_LENGTH = 25

/** @returns base32, to be typed on a device without a camera */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The URL for a QR code. It has no port, because a colon has another meaning there. */
export function setUpUrl(secret: string, { publicUrl, email }: { publicUrl: string; email: string }): string {
  const { hostname } = new URL(publicUrl)
  return new TOTP({ ...SETTINGS, issuer: hostname, label: email, secret: Secret.fromBase32(secret) }).toString()
}

export type TypedCode = { kind: 'totp'; digits: string } | { kind: 'recovery'; digest: string }

/** Apps show codes in groups, and people type them that way. */
export function readCode(typed: string): TypedCode {
  const characters = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(characters)) return { kind: 'totp', digits: characters }
  return { kind: 'recovery', digest: digestOf(characters) }
}

/**
 * The step of a code that is correct at this moment, counted from 1970: the caller stores it, so that the code is
 * valid once.
 */
export function stepOf(secret: string, digits: string, now: Date): number | undefined {
  const totp = { ...SETTINGS, secret: Secret.fromBase32(secret), timestamp: now.getTime() }
  const delta = TOTP.validate({ ...totp, token: digits, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp: now.getTime() }) + delta
}

/** Codes for an admin who lost the device. */
export function newRecoveryCodes(): { codes: string[]; digests: string[] } {
  const bare = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''),
  )
  return { codes: bare.map((code) => code.replaceAll(/.{5}(?!$)/g, '$&-')), digests: bare.map(digestOf) }
}

function digestOf(recoveryCode: string): string {
  return createHash('sha256').update(recoveryCode).digest('base64url')
}

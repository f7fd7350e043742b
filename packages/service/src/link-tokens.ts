import { createHmac, timingSafeEqual } from 'node:crypto'
import { HttpError } from './http-error.ts'

/** The tokens in links of mails. */
export interface LinkTokens<Purpose extends string> {
  /** @returns `<id>.<secret>`, always the same for the same link: it is computed, and never stored */
  make(purpose: Purpose, id: string): string
  /**
   * The link that a token belongs to. A token made here may still have expired.
   * @throws HttpError `invalid_token` when it was not made here for one of these purposes
   */
  read<Wanted extends Purpose>(
    token: string | null | undefined,
    purposes: readonly Wanted[],
  ): { purpose: Wanted; id: string }
}

/** The same for a link that is used, expired, forged or unknown: the response must not help with guessing. */
export function invalidToken(): HttpError {
  return new HttpError('invalid_token', 'This link no longer works. Please request a new one.')
}

const TOKEN = /^([a-z]{1,10}_[0-9a-f]{32,36})\.([\w-]{43})$/

/** @param key 32 random bytes or more */
export function createLinkTokens<Purpose extends string>(key: Buffer): LinkTokens<Purpose> {
  const secretOf = (purpose: Purpose, id: string) =>
    createHmac('sha256', key).update(`${purpose}\n${id}`).digest('base64url')

  return {
    make: (purpose, id) => `${id}.${secretOf(purpose, id)}`,
    read(token, purposes) {
      const [, id, secret] = TOKEN.exec(token ?? '') ?? []
      if (id === undefined || secret === undefined) throw invalidToken()
      // Compared as text, because several texts decode to the same bytes.
      const given = Buffer.from(secret)
      const purpose = purposes.find((purpose) => timingSafeEqual(Buffer.from(secretOf(purpose, id)), given))
      if (purpose === undefined) throw invalidToken()
      return { purpose, id }
    },
  }
}

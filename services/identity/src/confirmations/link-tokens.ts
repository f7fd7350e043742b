import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidToken } from '../errors.ts'
import type { Purpose } from './confirmation.ts'

/** An unsubscribe link belongs to no confirmation: it works for as long as the subscription exists. */
export type LinkPurpose = Purpose | 'newsletterEnd'

export interface LinkTokens {
  /** @returns `<id>.<secret>`, always the same for the same link: it is computed, and never stored */
  make(purpose: LinkPurpose, id: string): string
  /**
   * The link that a token belongs to. A token made here may still have expired.
   * @throws HttpError `invalid_token` when it was not made here for one of these purposes
   */
  read<Wanted extends LinkPurpose>(
    token: string | null | undefined,
    purposes: readonly Wanted[],
  ): { purpose: Wanted; id: string }
}

const TOKEN = /^([a-z]{1,10}_[0-9a-f]{32})\.([\w-]{43})$/

/** @param key 32 random bytes */
export function createLinkTokens(key: Buffer): LinkTokens {
  const secretOf = (purpose: LinkPurpose, id: string) =>
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

/** The token is in the fragment: browsers do not send it to servers, so that no log and no referrer contains it. */
export function linkTo(accountUrl: string, path: string, token: string): string {
  return `${accountUrl}${path}#token=${token}`
}

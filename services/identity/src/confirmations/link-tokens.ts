import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidToken } from '../errors.ts'
import type { Purpose } from './confirmation.ts'

/** The end of a subscription is no confirmation: its link works for as long as somebody is subscribed. */
export type LinkPurpose = Purpose | 'newsletterEnd'

export interface LinkTokens {
  /** @returns `<id>.<secret>`, always the same for the same link: it is computed, and stored nowhere */
  make(purpose: LinkPurpose, id: string): string
  /**
   * Which link a token belongs to. That it was made here says nothing about whether it still counts.
   * @throws Refusal `invalid_token` when it was not made here for one of these purposes
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
      // As text, because several texts stand for the same bytes.
      const given = Buffer.from(secret)
      const purpose = purposes.find((purpose) => timingSafeEqual(Buffer.from(secretOf(purpose, id)), given))
      if (purpose === undefined) throw invalidToken()
      return { purpose, id }
    },
  }
}

/** The token stands behind the #: browsers send that part to no server, so that no log and no referrer has it. */
export function linkTo(accountUrl: string, path: string, token: string): string {
  return `${accountUrl}${path}#token=${token}`
}

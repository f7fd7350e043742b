import type { LinkTokens as Tokens } from '@storefront/service'
import type { Purpose } from './confirmation.ts'

/** An unsubscribe link belongs to no confirmation: it works for as long as the subscription exists. */
type LinkPurpose = Purpose | 'newsletterEnd'

export type LinkTokens = Tokens<LinkPurpose>

/** The token is in the fragment: browsers do not send it to servers, so that no log and no referrer contains it. */
export function linkTo(accountUrl: string, path: string, token: string): string {
  return `${accountUrl}${path}#token=${token}`
}

import { ask, DependencyUnavailable, type Messaging } from '@storefront/chassis'
import { ReadMailLink } from '@storefront/contracts'

export interface MailLink {
  url: string
  expiresAt: Date | undefined
}

/** Identity cannot say where a link leads, for now: its mail waits. */
export class LinkUnavailable extends Error {}

/**
 * @returns where the link of a confirmation leads; undefined when it was used or has run out
 * @throws LinkUnavailable
 */
export type LinkReader = (confirmationId: string) => Promise<MailLink | undefined>

/** Asks identity, anew for every attempt to send: the link is a secret, and neither event nor row holds it. */
export function linkReader(messaging: Messaging): LinkReader {
  return async (confirmationId) => {
    try {
      const { url, expiresAt } = await ask(messaging, ReadMailLink, { confirmationId })
      if (url === undefined) return undefined
      return { url, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) }
    } catch (error) {
      // Not the error itself: one about an answer that cannot be read may quote the answer.
      const reason = error instanceof DependencyUnavailable ? `${error.dependency} is away` : 'it was not answered'
      throw new LinkUnavailable(`the link could not be asked for: ${reason}`)
    }
  }
}

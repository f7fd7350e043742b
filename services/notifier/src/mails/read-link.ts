import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import { ReadMailLink } from '@storefront/contracts'

export interface MailLink {
  url: string
  expiresAt: Date | undefined
}

/** Identity cannot be reached for a link at the moment: its mail waits. */
export class LinkUnavailable extends Error {}

/**
 * @returns the URL of a confirmation's link; undefined when it was used or has expired
 * @throws LinkUnavailable
 */
export type LinkReader = (confirmationId: string) => Promise<MailLink | undefined>

/** Requests the link from identity for every attempt to send: it is a secret, and neither event nor row contains it. */
export function linkReader(messaging: Messaging): LinkReader {
  return async (confirmationId) => {
    try {
      const { url, expiresAt } = await sendRequest(messaging, ReadMailLink, { confirmationId })
      if (url === undefined) return undefined
      return { url, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) }
    } catch (error) {
      // Not the error itself: one about an invalid reply may quote the reply.
      const reason =
        error instanceof DependencyUnavailable ? `${error.dependency} is unavailable` : 'there was no usable reply'
      throw new LinkUnavailable(`the link could not be requested: ${reason}`)
    }
  }
}

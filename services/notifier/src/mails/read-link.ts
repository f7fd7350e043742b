import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import { ReadMailLink, ReadPaymentLink } from '@storefront/contracts'
import type { MailLink } from '@storefront/mail-templates'

/** The service of a link cannot be reached at the moment: its mail waits. */
export class LinkUnavailable extends Error {}

/**
 * @param what was requested
 * @param error is not passed on: one about an invalid reply may quote the reply
 */
export function linkUnavailable(what: string, error: unknown): LinkUnavailable {
  const reason =
    error instanceof DependencyUnavailable ? `${error.dependency} is unavailable` : 'there was no usable reply'
  return new LinkUnavailable(`${what} could not be requested: ${reason}`)
}

/**
 * @returns the URL of a confirmation's link; undefined when it was used or has expired
 * @throws LinkUnavailable
 */
export type LinkReader = (confirmationId: string) => Promise<MailLink | undefined>

/** The same for the payment link of a draft order. */
export type PaymentLinkReader = (link: { draftId: string; linkNumber: number }) => Promise<MailLink | undefined>

/** Requests the link from identity for every attempt to send: it is a secret, and neither event nor row contains it. */
export function linkReader(messaging: Messaging): LinkReader {
  return (confirmationId) => readLink(() => sendRequest(messaging, ReadMailLink, { confirmationId }))
}

/** The same from orders. */
export function paymentLinkReader(messaging: Messaging): PaymentLinkReader {
  return (link) => readLink(() => sendRequest(messaging, ReadPaymentLink, link))
}

async function readLink(
  request: () => Promise<{ url?: string | undefined; expiresAt?: string | undefined }>,
): Promise<MailLink | undefined> {
  try {
    const { url, expiresAt } = await request()
    if (url === undefined) return undefined
    return { url, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) }
  } catch (error) {
    throw linkUnavailable('the link', error)
  }
}

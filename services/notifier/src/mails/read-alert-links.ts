import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadAlertLinks } from '@storefront/contracts'
import { linkUnavailable, type MailLink } from './read-link.ts'

export interface AlertLinks {
  /** The page of the storefront that ends the alert. */
  unsubscribeUrl: string
  /** The address of the shop that mail programs send their form to (RFC 8058). */
  oneClickUrl: string
  /** Missing when the alert is confirmed, or it is too late. */
  confirm: MailLink | undefined
}

/** The pages of the storefront that mails about alerts link to. */
export interface AlertPages {
  product(slug: string): string
  /**
   * @returns undefined when the alert has ended, or its product is not published
   * @throws LinkUnavailable
   */
  links(alertId: string): Promise<AlertLinks | undefined>
}

/** Requests the tokens of an alert for every attempt to send: neither event nor row contains them. */
export function alertPages(
  messaging: Messaging,
  { storefrontUrl, publicUrl }: { storefrontUrl: string; publicUrl: string },
): AlertPages {
  const pageOf = (path: string, token: string) => `${storefrontUrl}${path}?token=${encodeURIComponent(token)}`
  return {
    product: (slug) => `${storefrontUrl}/product/${encodeURIComponent(slug)}`,
    async links(alertId) {
      const { unsubscribeToken, confirmToken, confirmBefore } = await readTokens(messaging, alertId)
      if (unsubscribeToken === undefined) return undefined
      return {
        unsubscribeUrl: pageOf('/alerts/unsubscribe', unsubscribeToken),
        oneClickUrl: `${publicUrl}/alerts/unsubscribe?token=${encodeURIComponent(unsubscribeToken)}`,
        confirm:
          confirmToken === undefined
            ? undefined
            : {
                url: pageOf('/alerts/confirm', confirmToken),
                expiresAt: confirmBefore === undefined ? undefined : new Date(confirmBefore),
              },
      }
    },
  }
}

async function readTokens(messaging: Messaging, alertId: string) {
  try {
    return await sendRequest(messaging, ReadAlertLinks, { alertId })
  } catch (error) {
    throw linkUnavailable('the links of the alert', error)
  }
}

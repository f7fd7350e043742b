import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadAlertLinks } from '@storefront/contracts'
import { linkUnavailable } from './read-link.ts'

export type AlertPages = ReturnType<typeof alertPages>

/**
 * The pages of the storefront that mails about alerts link to. Requests the tokens of an alert for every attempt to
 * send: neither event nor row contains them.
 */
export function alertPages(
  messaging: Messaging,
  { storefrontUrl, publicUrl }: { storefrontUrl: string; publicUrl: string },
) {
  const pageOf = (path: string, token: string) => `${storefrontUrl}${path}?token=${encodeURIComponent(token)}`
  return {
    product: (slug: string) => `${storefrontUrl}/product/${encodeURIComponent(slug)}`,
    /**
     * @returns undefined when the alert has ended, or its product is not published
     * @throws LinkUnavailable
     */
    async links(alertId: string) {
      const { unsubscribeToken, confirmToken, confirmBefore } = await readTokens(messaging, alertId)
      if (unsubscribeToken === undefined) return undefined
      return {
        /** The page of the storefront that ends the alert. */
        unsubscribeUrl: pageOf('/alerts/unsubscribe', unsubscribeToken),
        /** The address of the shop that mail programs send their form to (RFC 8058). */
        oneClickUrl: `${publicUrl}/alerts/unsubscribe?token=${encodeURIComponent(unsubscribeToken)}`,
        /** Undefined when the alert is confirmed, or it is too late. */
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

import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadOrderLink } from '@storefront/contracts'
import { linkUnavailable } from './read-link.ts'

/** The page of an order in the storefront. */
export interface OrderPages {
  /**
   * @returns the URL that opens the order in any browser; undefined when there is no such order
   * @throws LinkUnavailable
   */
  open(orderId: string): Promise<string | undefined>
  /** The URL without the capability: it works for the customer, and for the browser that placed the order. */
  bare(orderId: string): string
}

/**
 * Requests the capability of an order for every attempt to send: it is a secret, and neither event nor row contains
 * it.
 */
export function orderPages(messaging: Messaging, storefrontUrl: string): OrderPages {
  const bare = (orderId: string) => `${storefrontUrl}/order/${encodeURIComponent(orderId)}`
  return {
    bare,
    async open(orderId) {
      try {
        const { accessToken } = await sendRequest(messaging, ReadOrderLink, { orderId })
        return accessToken && `${bare(orderId)}?token=${encodeURIComponent(accessToken)}`
      } catch (error) {
        throw linkUnavailable('the link to the order', error)
      }
    },
  }
}

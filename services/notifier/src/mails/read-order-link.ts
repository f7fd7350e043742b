import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadOrderLink } from '@storefront/contracts'
import { linkUnavailable } from './read-link.ts'

export type OrderPages = ReturnType<typeof orderPages>

/** A purchase has two mails within this time. */
const REMEMBERED_MS = 10_000

/**
 * The page of an order in the storefront. Requests the capability of an order when a mail is sent: it is a secret, and
 * neither event nor row contains it. For seconds it is remembered for the next mail about the order. If the account is
 * deleted meanwhile, it opens nothing.
 */
export function orderPages(messaging: Messaging, storefrontUrl: string) {
  const remembered = new Map<string, string>()
  const bare = (orderId: string) => `${storefrontUrl}/order/${encodeURIComponent(orderId)}`

  async function request(orderId: string): Promise<string | undefined> {
    const { accessToken } = await sendRequest(messaging, ReadOrderLink, { orderId })
    if (accessToken === undefined) return undefined
    remembered.set(orderId, accessToken)
    setTimeout(() => remembered.delete(orderId), REMEMBERED_MS).unref()
    return accessToken
  }

  return {
    /** The URL without the capability: it works for the customer, and for the browser that placed the order. */
    bare,
    /**
     * @returns the URL that opens the order in any browser; undefined when there is no such order
     * @throws LinkUnavailable
     */
    async open(orderId: string) {
      try {
        const accessToken = remembered.get(orderId) ?? (await request(orderId))
        return accessToken && `${bare(orderId)}?token=${encodeURIComponent(accessToken)}`
      } catch (error) {
        throw linkUnavailable('the link to the order', error)
      }
    },
  }
}

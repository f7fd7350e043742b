import { createStorefrontClient, type StorefrontClient } from '@storefront/client'

export interface ShopOptions {
  /** Address of the shop's API. */
  shopUrl: string
  /** Shows the shop that the addresses of shoppers that this server sends are genuine. */
  storefrontKey: string | undefined
}

export interface Caller {
  /** Network address of the shopper, whose limits apply. */
  address: string
  /** Of a signed-in customer. */
  token?: string | undefined
  requestId: string
}

/** A shopper waits for each page: the shop has this long for one attempt, and for all of them. */
const TIMEOUT_MS = 5000
const DEADLINE_MS = 8000

/**
 * Makes a client of the shop's API.
 * @param caller for whom requests are made; without one they are this server's own reads of public data
 */
export function shopClient({ shopUrl, storefrontKey }: ShopOptions, caller?: Caller): StorefrontClient {
  return createStorefrontClient({
    baseUrl: shopUrl,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: DEADLINE_MS,
    maxTries: 2,
    ...(caller?.token !== undefined && { token: caller.token }),
    fetch: (request) => {
      const { headers } = request
      if (caller) headers.set('x-request-id', caller.requestId)
      if (storefrontKey !== undefined) headers.set('x-storefront-key', storefrontKey)
      if (caller) headers.set('x-shopper-address', caller.address)
      return fetch(request)
    },
  })
}

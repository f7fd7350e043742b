import { sendRequest, type Messaging } from '@storefront/messaging'
import { MINUTE_MS, type Clock } from '@storefront/service'
import { ReadPrices } from '@storefront/contracts'
import { ProviderUnavailable } from '../provider.ts'

const CACHED_FOR_MS = MINUTE_MS

export interface RazorpayKeyId {
  /**
   * The public half of the key: the merchant's from the storefront configuration, or else the operator's.
   * @throws ProviderUnavailable when it is unknown which of the two it is
   */
  get(): Promise<string | undefined>
  /** Drops the cached key id, because Razorpay does not know it. */
  clear(): void
}

export function razorpayKeyId(
  { messaging, clock }: { messaging: Messaging; clock: Clock },
  fromEnvironment: string | undefined,
): RazorpayKeyId {
  let cached: { keyId: string | undefined; atMs: number } | undefined
  return {
    async get() {
      const nowMs = clock.now().getTime()
      if (cached && nowMs - cached.atMs < CACHED_FOR_MS) return cached.keyId
      try {
        const { settings } = await sendRequest(messaging, ReadPrices, { variantIds: [] })
        const own = settings.razorpayKeyId
        cached = { keyId: own === undefined || own === '' ? fromEnvironment : own, atMs: nowMs }
      } catch (error) {
        // The last known key id is more likely right than a guess between the two.
        if (!cached) throw new ProviderUnavailable('razorpay', error)
      }
      return cached.keyId
    },
    clear() {
      if (cached) cached.atMs = -Infinity
    },
  }
}

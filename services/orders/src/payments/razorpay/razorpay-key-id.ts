import { sendRequest, type Messaging } from '@storefront/messaging'
import type { Clock } from '@storefront/service'
import { ReadPrices } from '@storefront/contracts'
import { ProviderUnavailable } from '../provider.ts'

const KNOWN_MS = 60_000

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
  let known: { keyId: string | undefined; atMs: number } | undefined
  return {
    async get() {
      const nowMs = clock.now().getTime()
      if (known && nowMs - known.atMs < KNOWN_MS) return known.keyId
      try {
        const { settings } = await sendRequest(messaging, ReadPrices, { variantIds: [] })
        const own = settings.razorpayKeyId
        known = { keyId: own === undefined || own === '' ? fromEnvironment : own, atMs: nowMs }
      } catch (error) {
        // The last known one is better than possibly the wrong one of the two.
        if (!known) throw new ProviderUnavailable('razorpay', error)
      }
      return known.keyId
    },
    clear() {
      if (known) known.atMs = -Infinity
    },
  }
}

import { ask, type Clock, type Messaging } from '@storefront/chassis'
import { ReadBoard } from '@storefront/contracts'
import { ProviderUnavailable } from '../provider.ts'

const KNOWN_MS = 60_000

export interface RazorpayKeyId {
  /**
   * The public half of the key: the merchant's from the storefront configuration, or else the operator's.
   * @throws ProviderUnavailable when nobody can say which of the two it is
   */
  get(): Promise<string | undefined>
  /** Has it asked for anew: Razorpay does not know this one. */
  forget(): void
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
        const { settings } = await ask(messaging, ReadBoard, { variantIds: [] })
        const own = settings.razorpayKeyId
        known = { keyId: own === undefined || own === '' ? fromEnvironment : own, atMs: nowMs }
      } catch (error) {
        // The last one that was known is better than the wrong one of two.
        if (!known) throw new ProviderUnavailable('razorpay', error)
      }
      return known.keyId
    },
    forget() {
      if (known) known.atMs = -Infinity
    },
  }
}

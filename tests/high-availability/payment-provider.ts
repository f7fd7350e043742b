import { setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { createFakeStripe, type FakeWebhook } from '@storefront/tools/testing'
import type { ShopState } from './shop-state.ts'

export interface PaymentProvider {
  /** The variables with which the shop uses it. */
  env: Record<string, string>
  /**
   * Pays on a page as its buyer does. The provider then sends its webhook to the shop until it is accepted.
   * @returns false when the page is not open
   */
  pay: (pageId: string, shopUrl: string) => boolean
  /** Every payment that was captured. */
  payments: () => ShopState['payments']
  /** How many webhooks the shop has not accepted yet. */
  unsent: () => number
  close: () => Promise<void>
}

const ATTEMPT_MS = 10_000
/** Stripe itself waits for minutes and hours. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/**
 * Opens an account at an imitation of Stripe. It is outside the shop: whatever the shop loses, it knows every payment.
 * @param host the address of this machine at which the shop reaches it
 */
export async function openPaymentProvider(host = '127.0.0.1'): Promise<PaymentProvider> {
  const stripe = await createFakeStripe({ host })
  const closed = new AbortController()
  let unsent = 0

  async function sendWebhook(pageId: string, shopUrl: string): Promise<void> {
    unsent++
    for (let pauseMs = FIRST_PAUSE_MS; !closed.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      // One event has one id, and each attempt to send it a signature of its own.
      const event = { eventId: `evt_${pageId}` }
      const webhook = stripe.webhook('checkout.session.completed', stripe.sessions.get(pageId), event)
      if (await isAccepted(shopUrl, webhook)) {
        unsent--
        return
      }
      await setTimeout(pauseMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  return {
    env: {
      STRIPE_BASE_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    },
    pay(pageId, shopUrl) {
      if (stripe.sessions.get(pageId)?.status !== 'open') return false
      stripe.pay(pageId)
      void sendWebhook(pageId, shopUrl)
      // Not kept, so that a run of any length fits into memory.
      stripe.calls.length = 0
      stripe.received.length = 0
      return true
    },
    payments() {
      const refunds = [...stripe.refunds.values()].filter(({ status }) => status !== 'failed')
      const refunded = new Set(refunds.map((refund) => refund.payment_intent))
      return [...stripe.intents.values()].map(({ id, metadata }) => ({
        id,
        sessionId: metadata['session_id'] ?? '',
        isRefunded: refunded.has(id),
      }))
    },
    unsent: () => unsent,
    async close() {
      closed.abort()
      await stripe.stop()
    },
  }
}

async function isAccepted(shopUrl: string, { headers, body }: FakeWebhook): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ATTEMPT_MS)
    const response = await request(`${shopUrl}/webhooks/stripe`, { method: 'POST', headers, body, signal })
    await response.body.dump()
    return response.statusCode < 300
  } catch {
    return false
  }
}

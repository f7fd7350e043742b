import type { PaymentNews, PaymentProvider, SessionToOpen } from '../src/payments/provider.ts'

/** A payment provider that the test plays, inside of the process: it opens pages, and tells nothing by itself. */
export interface PlayedProvider extends PaymentProvider {
  /** Sessions that it was asked to open, oldest first, the same one as often as it was asked. */
  readonly opened: SessionToOpen[]
  /** Its own names for the sessions that were closed. */
  readonly closed: string[]
  configured: boolean
  /** Runs before each answer to openSession. */
  beforeOpened: ((session: SessionToOpen) => Promise<void>) | undefined
  /** What it answers to inspectSession. */
  inspect: ((session: { id: string }) => Promise<PaymentNews | undefined>) | undefined
  /** Puts everything back to how it was. */
  reset(): void
}

export function playProvider(name: string): PlayedProvider {
  const notPlayed = () => {
    throw new Error('not played')
  }
  const provider: PlayedProvider = {
    name,
    opened: [],
    closed: [],
    configured: true,
    beforeOpened: undefined,
    inspect: undefined,
    reset() {
      provider.opened.length = 0
      provider.closed.length = 0
      provider.configured = true
      provider.beforeOpened = undefined
      provider.inspect = undefined
    },
    isConfigured: () => provider.configured,
    async openSession(session) {
      provider.opened.push(session)
      await provider.beforeOpened?.(session)
      const url = name === 'razorpay' ? undefined : `https://pay.example/${name}/${session.id}`
      return { providerSession: `${name}_of_${session.id}`, url }
    },
    closeSession: async ({ providerSession }) => void provider.closed.push(providerSession),
    inspectSession: async (session) => provider.inspect?.(session),
    refund: notPlayed,
    inspectRefund: notPlayed,
    verifyWebhook: notPlayed,
    readWebhook: notPlayed,
  }
  return provider
}

import type { PaymentUpdate, PaymentProvider, SessionToOpen } from '../src/payments/provider.ts'

/** A payment provider that the test simulates in its process: it opens pages, and sends no updates of its own. */
export interface SimulatedProvider extends PaymentProvider {
  /** Sessions that it was requested to open, oldest first, the same one for each request. */
  readonly opened: SessionToOpen[]
  /** Its own ids of the closed sessions. */
  readonly closed: string[]
  configured: boolean
  /** Runs before each response to openSession. */
  beforeOpened: ((session: SessionToOpen) => Promise<void>) | undefined
  /** Runs before each response to closeSession. */
  beforeClosed: (() => Promise<void>) | undefined
  /** Its response to inspectSession. */
  inspect: ((session: { id: string }) => Promise<PaymentUpdate | undefined>) | undefined
  /** Restores the initial state. */
  reset(): void
}

export function simulateProvider(name: string): SimulatedProvider {
  const notSimulated = () => {
    throw new Error('not simulated')
  }
  const provider: SimulatedProvider = {
    name,
    opened: [],
    closed: [],
    configured: true,
    beforeOpened: undefined,
    beforeClosed: undefined,
    inspect: undefined,
    reset() {
      provider.opened.length = 0
      provider.closed.length = 0
      provider.configured = true
      provider.beforeOpened = undefined
      provider.beforeClosed = undefined
      provider.inspect = undefined
    },
    isConfigured: () => provider.configured,
    async openSession(session) {
      provider.opened.push(session)
      await provider.beforeOpened?.(session)
      const url = name === 'razorpay' ? undefined : `https://pay.example/${name}/${session.id}`
      return { providerSession: `${name}_of_${session.id}`, url }
    },
    async closeSession({ providerSession }) {
      provider.closed.push(providerSession)
      await provider.beforeClosed?.()
    },
    inspectSession: async (session) => provider.inspect?.(session),
    refund: notSimulated,
    inspectRefund: notSimulated,
    verifyWebhook: notSimulated,
    readWebhook: notSimulated,
  }
  return provider
}

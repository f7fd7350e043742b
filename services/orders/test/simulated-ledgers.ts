import { actorVerifier, DependencyUnavailable, systemClock } from '@storefront/service'
import { replyTo } from '@storefront/messaging'
import { CheckDiscounts, CheckEmailAddresses, CheckLedger, CheckReservations } from '@storefront/contracts'
import type { Suite } from '@storefront/tools/testing'

export type Standing = 'held' | 'sold' | 'released' | 'unknown'

/** The simulated ledgers of catalog, cart and identity, for reconciliation. */
export interface SimulatedLedgers {
  /** The status of holds that contradict their claims; all others have the expected status. */
  standing: Map<string, Standing>
  ledger: { faults: { subject: string; message: string }[]; total: number }
  discounts: { faults: { subject: string; message: string }[]; total: number }
  addresses: { faults: { subject: string; message: string }[]; total: number }
  /** Whether catalog and cart reply, are unreachable, or reply with an error. */
  catalog: 'up' | 'down' | 'faulty'
  cart: 'up' | 'down' | 'faulty'
  /** The number of holds in each request. */
  requests: number[]
  /** Runs before each reply about holds. */
  beforeHolds: (() => Promise<void>) | undefined
  reset(): void
  stop(): Promise<void>
}

/** The name of a released hold begins with this; all others are held for orders. */
export const GIVEN_UP = 'res_given_up_'

/** Replies to the requests of a reconciliation, with the NATS permissions of catalog and cart. */
export async function simulateLedgers(suite: Suite): Promise<SimulatedLedgers> {
  const [catalog, cart, identity] = await Promise.all([
    suite.openMessaging('catalog'),
    suite.openMessaging('cart'),
    suite.openMessaging('identity'),
  ])
  const verifyActor = actorVerifier(suite.env('orders')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  const ledgers: SimulatedLedgers = {
    standing: new Map(),
    ledger: { faults: [], total: 0 },
    discounts: { faults: [], total: 0 },
    addresses: { faults: [], total: 0 },
    catalog: 'up',
    cart: 'up',
    requests: [],
    beforeHolds: undefined,
    reset() {
      ledgers.standing.clear()
      ledgers.ledger = { faults: [], total: 0 }
      ledgers.discounts = { faults: [], total: 0 }
      ledgers.addresses = { faults: [], total: 0 }
      ledgers.catalog = 'up'
      ledgers.cart = 'up'
      ledgers.requests = []
      ledgers.beforeHolds = undefined
    },
    stop: async () => void (await Promise.all([catalog.close(), cart.close(), identity.close()])),
  }
  const failUnlessUp = (behavior: SimulatedLedgers['catalog']) => {
    if (behavior === 'down') throw new DependencyUnavailable('postgres')
    if (behavior === 'faulty') throw new Error('a fault of catalog or cart')
  }
  const expiresAt = new Date().toISOString()
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, CheckReservations, async ({ claims }) => {
    await ledgers.beforeHolds?.()
    failUnlessUp(ledgers.catalog)
    ledgers.requests.push(claims.length)
    return {
      reservations: claims.flatMap((claim) => {
        const status = ledgers.standing.get(claim) ?? (claim.startsWith(GIVEN_UP) ? 'released' : 'sold')
        return status === 'unknown' ? [] : [{ claim, status, expiresAt }]
      }),
    }
  })
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, CheckLedger, async () => {
    failUnlessUp(ledgers.catalog)
    return Promise.resolve(ledgers.ledger)
  })
  replyTo({ messaging: cart, log: suite.log, verifyActor }, CheckDiscounts, async () => {
    failUnlessUp(ledgers.cart)
    return Promise.resolve(ledgers.discounts)
  })
  replyTo({ messaging: identity, log: suite.log, verifyActor }, CheckEmailAddresses, async () =>
    Promise.resolve(ledgers.addresses),
  )
  await Promise.all([catalog, cart, identity].map(async (one) => (await one.opened).flush()))
  return ledgers
}

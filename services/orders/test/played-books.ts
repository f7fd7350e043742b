import { actorVerifier, answer, DependencyUnavailable, openMessaging, systemClock } from '@storefront/chassis'
import { CheckDiscounts, CheckEmailAddresses, CheckLedger, CheckReservations } from '@storefront/contracts'
import type { Suite } from '@storefront/tools/testing'

export type Standing = 'held' | 'sold' | 'released' | 'unknown'

/** Catalog and cart as played by the test, for reconciliation. */
export interface PlayedBooks {
  /** The state of holds that disagree: sold, or released where the claim says so. */
  standing: Map<string, Standing>
  ledger: { faults: { subject: string; message: string }[]; total: number }
  discounts: { faults: { subject: string; message: string }[]; total: number }
  addresses: { faults: { subject: string; message: string }[]; total: number }
  /** The replies of catalog and cart. */
  catalog: 'there' | 'away' | 'faulty'
  cart: 'there' | 'away' | 'faulty'
  /** The number of holds in each request. */
  asked: number[]
  /** Runs before each reply about holds. */
  beforeHolds: (() => Promise<void>) | undefined
  reset(): void
  stop(): Promise<void>
}

/** The name of a released hold contains this; all others are held for orders. */
export const GIVEN_UP = 'res_given_up_'

/** Replies to the requests of a reconciliation, with the NATS permissions of catalog and cart. */
export async function playBooks(suite: Suite): Promise<PlayedBooks> {
  const open = (service: 'catalog' | 'cart' | 'identity') => {
    const { namespace, log } = suite
    return openMessaging({ url: suite.env(service)['NATS_URL'] ?? '', service, namespace, log })
  }
  const [catalog, cart, identity] = [open('catalog'), open('cart'), open('identity')]
  await Promise.all([catalog.opened, cart.opened, identity.opened])
  const verifyActor = actorVerifier(suite.env('orders')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  const books: PlayedBooks = {
    standing: new Map(),
    ledger: { faults: [], total: 0 },
    discounts: { faults: [], total: 0 },
    addresses: { faults: [], total: 0 },
    catalog: 'there',
    cart: 'there',
    asked: [],
    beforeHolds: undefined,
    reset() {
      books.standing.clear()
      books.ledger = { faults: [], total: 0 }
      books.discounts = { faults: [], total: 0 }
      books.addresses = { faults: [], total: 0 }
      books.catalog = 'there'
      books.cart = 'there'
      books.asked = []
      books.beforeHolds = undefined
    },
    stop: async () => void (await Promise.all([catalog.close(), cart.close(), identity.close()])),
  }
  const beThere = (mood: PlayedBooks['catalog']) => {
    if (mood === 'away') throw new DependencyUnavailable('postgres')
    if (mood === 'faulty') throw new Error('a fault of a neighbour')
  }
  const expiresAt = new Date().toISOString()
  answer({ messaging: catalog, log: suite.log, verifyActor }, CheckReservations, async ({ claims }) => {
    await books.beforeHolds?.()
    beThere(books.catalog)
    books.asked.push(claims.length)
    return {
      reservations: claims.flatMap((claim) => {
        const status = books.standing.get(claim) ?? (claim.startsWith(GIVEN_UP) ? 'released' : 'sold')
        return status === 'unknown' ? [] : [{ claim, status, expiresAt }]
      }),
    }
  })
  answer({ messaging: catalog, log: suite.log, verifyActor }, CheckLedger, async () => {
    beThere(books.catalog)
    return Promise.resolve(books.ledger)
  })
  answer({ messaging: cart, log: suite.log, verifyActor }, CheckDiscounts, async () => {
    beThere(books.cart)
    return Promise.resolve(books.discounts)
  })
  answer({ messaging: identity, log: suite.log, verifyActor }, CheckEmailAddresses, async () =>
    Promise.resolve(books.addresses),
  )
  await Promise.all([catalog, cart, identity].map((one) => one.connection().flush()))
  return books
}

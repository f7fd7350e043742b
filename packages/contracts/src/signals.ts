import { z } from 'zod'
import type { ServiceName } from './services.ts'

/** A hint to every running replica of a service. It may get lost: use an event where delivery must be certain. */
export interface SignalDefinition<Data = unknown> {
  name: string
  from: ServiceName
  consumers: readonly ServiceName[]
  data: z.ZodType<Data>
}

const signals: SignalDefinition[] = []
/** All signals, in the order of this file. */
export const SIGNALS: readonly SignalDefinition[] = signals

function defineSignal<Data>(definition: SignalDefinition<Data>): SignalDefinition<Data> {
  signals.push(definition)
  return definition
}

/**
 * Cached responses with one of these surrogate keys are out of date. With `againAfterMs` so are those that are cached
 * until then: they may have been read from a standby that did not have the change yet. What a merchant changed, every
 * replica of catalog reads on the primary meanwhile.
 */
export const PurgeCache = defineSignal({
  name: 'cache.purge',
  from: 'catalog',
  consumers: ['gateway', 'catalog'],
  data: z.object({
    keys: z.array(z.string()).max(10_000),
    againAfterMs: z.int().min(0).max(60_000).optional(),
    byMerchant: z.literal(true).optional(),
  }),
})

/** A merchant set or removed a credential: services that use credentials request them again. */
export const CredentialsChanged = defineSignal({
  name: 'credentials.changed',
  from: 'identity',
  consumers: ['orders', 'notifier'],
  data: z.object({}),
})

/** The keys that sign sessions have changed: a withdrawn one must be rejected now, not in a minute. */
export const SigningKeysChanged = defineSignal({
  name: 'signing-keys.changed',
  from: 'identity',
  consumers: ['gateway'],
  data: z.object({}),
})

/** These sessions and secret keys were revoked. Redis has the revocations as well, unless it is down. */
export const SessionsEnded = defineSignal({
  name: 'sessions.ended',
  from: 'identity',
  consumers: ['gateway'],
  data: z.object({ ids: z.array(z.string()).max(1000) }),
})

/** Names of topics and nothing else: who may read what has changed is checked by the request that follows. */
const Changes = z.object({ topics: z.array(z.string()).min(1).max(20) })

/** What the console shows of orders is out of date. */
export const OrdersChanged = defineSignal({
  name: 'orders.changed',
  from: 'orders',
  consumers: ['gateway'],
  data: Changes,
})

/** What the console shows of stock, imports or bulk edits is out of date. */
export const CatalogChanged = defineSignal({
  name: 'catalog.changed',
  from: 'catalog',
  consumers: ['gateway'],
  data: Changes,
})

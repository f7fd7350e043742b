import { z } from 'zod'
import type { ServiceName } from './services.ts'

/** A hint to every running copy of a service. It may get lost: whoever needs certainty uses an event. */
export interface SignalDefinition<Data = unknown> {
  name: string
  from: ServiceName
  heardBy: readonly ServiceName[]
  data: z.ZodType<Data>
}

function defineSignal<Data>(definition: SignalDefinition<Data>): SignalDefinition<Data> {
  return definition
}

/** Cached answers that carry one of these surrogate keys are out of date. */
export const PurgeCache = defineSignal({
  name: 'cache.purge',
  from: 'catalog',
  heardBy: ['gateway'],
  data: z.object({ keys: z.array(z.string()).max(10_000) }),
})

/** A merchant handed over a credential or took one back: whoever works with them asks for them again. */
export const CredentialsChanged = defineSignal({
  name: 'credentials.changed',
  from: 'identity',
  heardBy: ['orders', 'notifier'],
  data: z.object({}),
})

/** The keys that sessions are signed with have changed: a withdrawn one must stop counting now, not in a minute. */
export const SigningKeysChanged = defineSignal({
  name: 'signing-keys.changed',
  from: 'identity',
  heardBy: ['gateway'],
  data: z.object({}),
})

/** These sessions and secret keys were ended before their time. Redis says so as well, where it is there to be told. */
export const SessionsEnded = defineSignal({
  name: 'sessions.ended',
  from: 'identity',
  heardBy: ['gateway'],
  data: z.object({ ids: z.array(z.string()).max(1000) }),
})

export const SIGNALS: readonly SignalDefinition[] = [PurgeCache, CredentialsChanged, SigningKeysChanged, SessionsEnded]

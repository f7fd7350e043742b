import { ReadActorNames, type NamedActor } from '@storefront/contracts'
import type { Clock, Log } from '@storefront/service'
import { type Messaging, sendRequest } from '@storefront/messaging'

/** A new name is shown after this long at the latest. */
const FRESH_MS = 60_000
/** A list of entries without names is better than a late one. */
const TIMEOUT_MS = 1000
/** After a request without a reply, lists are returned without new names for this long. */
const PAUSE_MS = 5000
/** A shop has some tens of admins and at most a hundred keys. */
const MAX_REMEMBERED = 2000
/** The maximum number of ids in one request. */
const MAX_IDS = 200

/** @returns a function that names an actor by its id, without another request */
export type ActorNames = (ids: readonly string[]) => Promise<(id: string) => NamedActor>

/**
 * Makes the function with which a service reads the names of the actors in its audit. Identity owns the names, and only
 * readers need them: an entry is written with the id alone. While identity is not available, the last known names are
 * used, and an actor without one has no name.
 */
export function actorNames({ messaging, clock, log }: { messaging: Messaging; clock: Clock; log: Log }): ActorNames {
  const known = new Map<string, { actor: NamedActor; freshUntilMs: number }>()
  let pausedUntilMs = 0

  async function read(ids: readonly string[]): Promise<void> {
    const freshUntilMs = clock.now().getTime() + FRESH_MS
    const { actors } = await sendRequest(messaging, ReadActorNames, { ids: [...ids] }, { timeoutMs: TIMEOUT_MS })
    // Deleted first, because a map keeps the place of a key that it has: the oldest names come first.
    for (const id of ids) known.delete(id)
    for (const id of ids) known.set(id, { actor: namelessActor(id), freshUntilMs })
    for (const actor of actors) known.set(actor.id, { actor, freshUntilMs })
    const surplus = Math.max(0, known.size - MAX_REMEMBERED)
    for (const id of [...known.keys()].slice(0, surplus)) known.delete(id)
  }

  return async (ids) => {
    const nowMs = clock.now().getTime()
    const wanted = [...new Set(ids)].filter((id) => id !== '' && (known.get(id)?.freshUntilMs ?? 0) <= nowMs)
    try {
      if (wanted.length > 0 && pausedUntilMs <= nowMs) await read(wanted.slice(0, MAX_IDS))
    } catch (error) {
      pausedUntilMs = clock.now().getTime() + PAUSE_MS
      log.debug({ err: error }, 'the names of the actors in the audit could not be read')
    }
    return (id) => known.get(id)?.actor ?? namelessActor(id)
  }
}

/** The actor id of changes that happen at a time set by a merchant. */
export const SCHEDULE = 'schedule'

/** An actor of whom only the id is known. */
export function namelessActor(id: string): NamedActor {
  if (id === SCHEDULE) return { kind: SCHEDULE, id, name: null }
  return { kind: id.startsWith('key_') ? 'key' : 'user', id, name: null }
}

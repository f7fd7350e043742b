import { PurgeCache } from '@storefront/contracts'
import { sendSignal, type Messaging } from '@storefront/messaging'
import type { CatalogContext } from './context.ts'
import type { OpenPublicReads } from './public-reads.ts'

const EVERYTHING = ['*']

/**
 * Makes what purges cached responses in every gateway. A signal without NATS is lost, and so may be one that was sent
 * before the loss of the connection was noticed: everything is purged when NATS is back.
 */
export function purgeCaches(
  messaging: Messaging,
  reads: Pick<OpenPublicReads, 'noteWrite' | 'currentAfterMs'>,
): CatalogContext['purge'] {
  let isMissed = false
  const purge: CatalogContext['purge'] = (keys, change) => {
    if (change) reads.noteWrite(keys)
    if (!messaging.isConnected()) isMissed = true
    const { currentAfterMs } = reads
    sendSignal(messaging, PurgeCache, {
      keys: [...keys],
      ...(currentAfterMs !== undefined && { ...change, againAfterMs: currentAfterMs }),
    })
  }
  const purgeIfMissed = () => {
    if (isMissed) purge(EVERYTHING)
  }
  // A start empties no cache, unless it had to do without NATS.
  void messaging.opened.then(purgeIfMissed).catch(() => {})
  messaging.onReconnect(() => purge(EVERYTHING))
  return purge
}

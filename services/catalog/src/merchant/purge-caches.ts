import { PurgeCache } from '@storefront/contracts'
import { sendSignal, type Messaging } from '@storefront/messaging'
import type { CatalogContext } from '../context.ts'
import type { OpenPublicReads } from '../public-reads/public-reads.ts'

const EVERYTHING = ['*']

/**
 * Creates the function that purges cached responses in every gateway. Signals get lost while NATS is down, and shortly
 * before that is noticed, so everything is purged when NATS is back.
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
  // A start purges nothing, unless a purge was requested before NATS was available.
  void messaging.opened.then(purgeIfMissed).catch(() => {})
  messaging.onReconnect(() => purge(EVERYTHING))
  return purge
}

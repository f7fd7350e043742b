import { PurgeCache, signalSubject } from '@storefront/contracts'
import type { Messaging } from '@storefront/messaging'

/** @returns a list that collects the surrogate keys that gateways are to purge from now on */
export async function collectPurges(gateway: Messaging): Promise<string[]> {
  const purged: string[] = []
  gateway.connection().subscribe(signalSubject(gateway.namespace, PurgeCache), {
    callback: (_error, message) => void purged.push(...PurgeCache.data.parse(message.json()).keys),
  })
  await gateway.connection().flush()
  return purged
}

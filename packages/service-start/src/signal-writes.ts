import type { ConsoleTopic } from '@storefront/contracts'
import type { App } from '@storefront/http'
import { sendChanges, type Messaging } from '@storefront/messaging'

/**
 * Signals what a merchant's write makes out of date in the consoles of others, also where no event is published.
 * @param topics by the beginning of a route
 */
export function signalWrites(
  app: App,
  { messaging }: { messaging: Messaging },
  topics: Readonly<Record<string, readonly ConsoleTopic[]>>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 300) {
      const { url = '' } = request.routeOptions
      const changed = Object.entries(topics).find(([path]) => url.startsWith(path))
      if (changed) sendChanges(messaging, changed[1])
    }
    done()
  })
}

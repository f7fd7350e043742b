import { createApp, type App } from '@storefront/http'
import { createLog } from '@storefront/service'

/** The HTTP side of a service, for anonymous callers. @param more options, also in place of those */
export function openApp(more: Partial<Parameters<typeof createApp>[0]> = {}): Promise<App> {
  return createApp({
    log: createLog({ service: 'test', level: 'silent' }),
    verifyActor: () => undefined,
    checkReady: async () => {},
    ...more,
  })
}

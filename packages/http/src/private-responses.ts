import { PRIVATE_CACHE_CONTROL } from './caching.ts'
import type { App } from './http-app.ts'

/** No cache may store a response of these routes, not even of a public one. A route may set another header itself. */
export function keepResponsesPrivate(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })
}

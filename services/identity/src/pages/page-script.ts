import type { App } from '@storefront/http'
import { readAsset } from './page.ts'

/** One script for all pages: a file of its own, because the pages allow none within them. */
export function pageScriptRoute(app: App): void {
  const script = readAsset('pages.js')
  app.get('/auth/pages.js', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
}

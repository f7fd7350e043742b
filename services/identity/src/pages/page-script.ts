import type { App } from '@storefront/http'
import { readAsset } from './page.ts'

/** One script for all pages, in a file because their content policy allows no inline script. */
export function pageScriptRoute(app: App): void {
  const script = readAsset('pages.js')
  app.get('/auth/pages.js', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
}

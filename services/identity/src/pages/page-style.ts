import type { App } from '@storefront/http'
import { pageHeaders, readAsset } from './page.ts'

export function pageStyleRoute(app: App): void {
  const style = readAsset('pages.css')
  app.get('/auth/pages.css', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.headers(pageHeaders('text/css')).send(style),
  )
}

import type { App } from '@storefront/http'
import { readAsset } from './page.ts'

export function pageStyleRoute(app: App): void {
  const style = readAsset('pages.css')
  app.get('/auth/pages.css', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  )
}

import type { App } from '@storefront/http'
import { decide, type DemoContext } from './decide-demo-session.ts'
import { backToPage, DemoSessionParams, webAddress } from './demo-page.ts'

/** Returns to the shop without paying. */
export function cancelDemoSessionRoute(app: App, context: DemoContext): void {
  app.post(
    '/payments/demo/:session/cancel',
    { config: { access: 'public', errors: ['not_found'] }, schema: { hide: true, params: DemoSessionParams } },
    async ({ params }, reply) => {
      const session = await decide(context, params.session, 'cancelled')
      const shop = session.status === 'cancelled' ? webAddress(session.cancel_url) : undefined
      return shop ? reply.redirect(shop.href, 303) : backToPage(reply, session.id)
    },
  )
}

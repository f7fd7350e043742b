import type { App } from '@storefront/http'
import { decide, type DemoContext } from './decide-demo-session.ts'
import { backToPage, DemoSessionParams } from './demo-page.ts'

/** Simulates a declined card. The buyer may try again. */
export function declineDemoSessionRoute(app: App, context: DemoContext): void {
  app.post(
    '/payments/demo/:session/decline',
    { config: { access: 'public', errors: ['not_found'] }, schema: { hide: true, params: DemoSessionParams } },
    async ({ params }, reply) => backToPage(reply, (await decide(context, params.session, 'declined')).id),
  )
}

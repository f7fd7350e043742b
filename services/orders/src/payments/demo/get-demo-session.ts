import type { App } from '@storefront/http'
import { demoSessionNotFound } from '../../errors.ts'
import { findDemoSession, findWaitingCheckout } from './demo.queries.ts'
import type { DemoContext } from './decide-demo-session.ts'
import { demoPageOf, DemoSessionParams, sendDemoPage } from './demo-page.ts'

/** Shows what is to be paid, or how the session ended. */
export function getDemoSessionRoute(app: App, { db, clock }: DemoContext): void {
  app.get(
    '/payments/demo/:session',
    { config: { access: 'public', errors: ['not_found'] }, schema: { hide: true, params: DemoSessionParams } },
    async ({ params }, reply) => {
      const session = await findDemoSession(db, params.session)
      if (!session) throw demoSessionNotFound()
      const checkout = await findWaitingCheckout(db, session.session_id)
      return sendDemoPage(reply, demoPageOf(session, clock.now(), checkout?.locale ?? 'en-US'), session)
    },
  )
}

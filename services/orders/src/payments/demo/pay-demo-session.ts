import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '@storefront/http'
import { findWaitingCheckout } from './demo.queries.ts'
import { decide, type DemoContext } from './decide-demo-session.ts'
import { backToPage, DemoSessionParams, webAddress } from './demo-page.ts'

/** The shop usually has its order in a fraction of this; a buyer who has waited longer continues without it. */
const TIMEOUT_MS = 3000
const FIRST_LOOK_MS = 25
const LAST_LOOK_MS = 400

/** Pays, once however often it is pressed, and redirects the buyer to the shop after the order exists. */
export function payDemoSessionRoute(app: App, context: DemoContext): void {
  app.post(
    '/payments/demo/:session/pay',
    { config: { access: 'public', errors: ['not_found'] }, schema: { hide: true, params: DemoSessionParams } },
    async ({ params }, reply) => {
      const session = await decide(context, params.session, 'paid')
      if (session.status !== 'paid') return backToPage(reply, session.id)
      await waitForOrder(context, session.session_id)
      const shop = webAddress(session.success_url)
      return shop ? reply.redirect(shop.href, 303) : backToPage(reply, session.id)
    },
  )
}

async function waitForOrder({ db }: DemoContext, sessionId: string): Promise<void> {
  const startedMs = performance.now()
  let lookMs = FIRST_LOOK_MS
  while (performance.now() - startedMs < TIMEOUT_MS) {
    const status = (await findWaitingCheckout(db, sessionId))?.status
    if (status !== 'creating' && status !== 'open') return
    await pause(lookMs)
    lookMs = Math.min(2 * lookMs, LAST_LOOK_MS)
  }
}

import { livePage, type LiveResult, type Visit } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { BAG_COUNT_HEADER, DELETES_DRAFT_HEADER } from '../../server/visitor.ts'

export function signOutRoute(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    method: 'POST',
    route: '/account/sign-out',
    async view(visit) {
      await visit.shop.post('/auth/logout', { body: { everywhere: visit.form.get('everywhere') === '1' } })
      return leave(visit, 'signedOut')
    },
  })
}

/** The bag, and what was typed into the checkout, is the customer's: the next person at this browser finds neither. */
export function leave({ setSession, setBag, setHeader }: Visit, done: 'signedOut' | 'deleted'): LiveResult {
  setSession(undefined)
  setBag(undefined)
  setHeader(BAG_COUNT_HEADER, '0')
  setHeader(DELETES_DRAFT_HEADER, '1')
  return { redirect: `/account?done=${done}` }
}

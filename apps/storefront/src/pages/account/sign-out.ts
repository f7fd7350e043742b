import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { FORGETS_DRAFT_HEADER } from '../../server/visitor.ts'

export function signOutRoute(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    method: 'POST',
    route: '/account/sign-out',
    async view(request) {
      await request.shop.post('/auth/logout', { body: { everywhere: request.form.get('everywhere') === '1' } })
      return leave(request, 'signedOut')
    },
  })
}

/** The bag, and what was typed into the checkout, is the customer's: the next person at this browser finds neither. */
export function leave(
  { setSession, setBag, setResponseHeader }: LiveRequest,
  done: 'signedOut' | 'deleted',
): LiveResult {
  setSession(undefined)
  setBag(undefined)
  setResponseHeader(FORGETS_DRAFT_HEADER, '1')
  return { redirect: `/account?done=${done}` }
}

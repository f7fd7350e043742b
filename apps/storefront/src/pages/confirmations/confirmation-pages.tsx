import type { App, Storefront } from '../../server/storefront.ts'
import { LinkDone, mailLinkPage } from './mail-link-page.tsx'
import { RESET_PASSWORD } from './reset-password.tsx'
import { VERIFY_EMAIL } from './verify-email.tsx'

/** The pages of links in mails about accounts, for a shop whose ACCOUNT_URL is this storefront. */
export function confirmationPages(app: App, storefront: Storefront): void {
  mailLinkPage(app, storefront, VERIFY_EMAIL)
  mailLinkPage(app, storefront, RESET_PASSWORD)
  mailLinkPage(app, storefront, {
    route: '/newsletter/confirm',
    name: 'confirmNewsletter',
    async act({ shop }, token) {
      await shop.post('/newsletter/confirm', { body: { token } })
      return <LinkDone name="confirmNewsletter" to="shop" />
    },
  })
  mailLinkPage(app, storefront, {
    route: '/newsletter/unsubscribe',
    name: 'endNewsletter',
    async act({ shop }, token) {
      await shop.post('/newsletter/unsubscribe', { body: { token } })
      return <LinkDone name="endNewsletter" to="shop" />
    },
  })
}

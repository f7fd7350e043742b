import type { App, Storefront } from '../../server/storefront.ts'
import { LinkDone, mailLinkPage } from './mail-link-page.tsx'

/** The pages of links in mails about what a shopper waits for. */
export function alertPages(app: App, storefront: Storefront): void {
  mailLinkPage(app, storefront, {
    route: '/alerts/confirm',
    name: 'confirmAlert',
    isInQuery: true,
    async act({ shop, context }, token) {
      const { kind, product } = await shop.post('/alerts/confirm', { body: { token } })
      const text = product && context.language.t(`confirmations.confirmAlert.${kind}`, { title: product.title })
      return <LinkDone name="confirmAlert" to="shop" text={text ?? undefined} />
    },
  })
  mailLinkPage(app, storefront, {
    route: '/alerts/unsubscribe',
    name: 'endAlert',
    isInQuery: true,
    async act({ shop }, token) {
      await shop.post('/alerts/unsubscribe', { body: { token } })
      return <LinkDone name="endAlert" to="shop" />
    },
  })
}

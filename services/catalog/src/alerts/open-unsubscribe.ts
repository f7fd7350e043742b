import type { App } from '@storefront/http'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'

/**
 * The address in the header of a mail, opened in a browser by a mail program that sends no form: leads to the page of the
 * storefront, and changes nothing.
 */
export function openUnsubscribeRoute(app: App, { storefrontUrl }: Pick<CatalogContext, 'storefrontUrl'>): void {
  app.get(
    '/alerts/unsubscribe',
    {
      config: { access: 'public' },
      schema: { hide: true, querystring: z.object({ token: z.string().max(200).optional() }) },
    },
    ({ query: { token = '' } }, reply) =>
      reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(`${storefrontUrl}/alerts/unsubscribe?token=${encodeURIComponent(token)}`, 303),
  )
}

import type { App } from '@storefront/http'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'

/**
 * For a mail program that cannot send a form and opens the address in the header of a mail in a browser: redirects to
 * the page of the storefront, and changes nothing.
 */
export function openUnsubscribeRoute(app: App, { storefrontUrl }: Pick<CatalogContext, 'storefrontUrl'>): void {
  app.get('/alerts/unsubscribe', {
    config: { access: 'public' },
    schema: { hide: true, querystring: z.object({ token: z.string().max(200).optional() }) },
    handler: ({ query: { token = '' } }, reply) =>
      reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(`${storefrontUrl}/alerts/unsubscribe?token=${encodeURIComponent(token)}`, 303),
  })
}

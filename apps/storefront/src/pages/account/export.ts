import { StorefrontError } from '@storefront/client'
import { pageContext, shopFor, type App, type Storefront } from '../../server/storefront.ts'
import { readVisitor } from '../../server/visitor.ts'

/** All data about the customer as a file. A script sends the session along, which a link cannot. */
export function exportRoute(app: App, storefront: Storefront): void {
  app.get('/account/export', async (request, reply) => {
    const { token, hasScript } = readVisitor(request)
    void reply.header('cache-control', 'private, no-store')
    if (token === undefined) return reply.redirect('/account?next=/account/privacy', 303)
    try {
      const data = await shopFor(storefront, request, token).get('/me/export')
      return await reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="my-data.json"')
        .send(JSON.stringify(data, undefined, 2))
    } catch (error) {
      if (!(error instanceof StorefrontError)) throw error
      if (error.code === 'unauthenticated') return reply.redirect('/account?next=/account/privacy', 303)
      if (!hasScript) throw error
      const { language } = await pageContext(storefront, request.url)
      return reply
        .code(error.status ?? 503)
        .type('text/plain; charset=utf-8')
        .send(language.error(error))
    }
  })
}

import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import { deleteAlert } from './alerts.queries.ts'

/** The form of a mail program has only one short field. */
const MAX_FORM_BYTES = 4096

/**
 * Ends an alert, for the storefront and for mail programs, which send the form of RFC 8058 to the address in the header
 * of a mail. The address contains the token.
 */
export function unsubscribeAlertRoute(app: App, { db, alertTokens }: CatalogContext): void {
  void app.register(async (scope: App) => {
    // The form is ignored, because it is always the same.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
      done(null, undefined),
    )
    scope.post('/alerts/unsubscribe', {
      config: { access: 'public', errors: ['invalid_token'] },
      schema: {
        summary: 'End an alert with the link in its mails',
        description:
          'No sign-in is needed. Doing it again gets the same reply. Mail programs send a form to the address in ' +
          '`List-Unsubscribe`, with the token in the query (RFC 8058).',
        querystring: z.object({ token: z.string().optional().describe('In place of the one in the body.') }),
        body: z
          .object({
            token: z.string().nullish().describe('From the link in a mail; it works any number of times.'),
          })
          .nullish(),
        response: { 200: Ok },
      },
      handler: async ({ body, query }): Promise<{ ok: true }> => {
        const { id } = alertTokens.read(body?.token ?? query.token, ['alertEnd'])
        // Succeeds even if the alert no longer exists.
        await deleteAlert(db, id)
        return { ok: true }
      },
    })
  })
}

import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { linkTo, type LinkTokens } from '../confirmations/link-tokens.ts'
import { deleteSubscriber } from './newsletter.queries.ts'

/** The link in every newsletter. It works for as long as the subscription exists, and can only end it. */
export function unsubscribeLink(links: LinkTokens, accountUrl: string, subscriberId: string): string {
  return linkTo(accountUrl, '/newsletter/unsubscribe', links.make('newsletterEnd', subscriberId))
}

export function unsubscribeRoute(app: App, { db, links }: IdentityContext): void {
  app.post('/newsletter/unsubscribe', {
    config: { access: 'public', errors: ['invalid_token'] },
    schema: {
      summary: 'Unsubscribe with the link in a newsletter',
      description:
        'Removes the subscriber of the link from the newsletter; no sign-in is needed. Doing it again gets the same ' +
        'reply.',
      body: z
        .object({
          token: z.string().nullish().describe('From the link in a newsletter; it works any number of times.'),
        })
        .nullish(),
      response: { 200: Ok },
    },
    handler: async ({ body }): Promise<{ ok: true }> => {
      const { id } = links.read(body?.token, ['newsletterEnd'])
      // Succeeds even if the subscription no longer exists.
      await transaction(db, (tx) => deleteSubscriber(tx, id))
      return { ok: true }
    },
  })
}

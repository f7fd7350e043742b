import { pageFields, pageParameters, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { listOf, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { listSubscribers } from './newsletter.queries.ts'
import { unsubscribeLink } from './unsubscribe.ts'

const Subscriber = z
  .object({
    email: z.string().describe('The address for newsletters, once the subscription is confirmed.'),
    subscribedAt: Timestamp.describe('When the address was first entered.'),
    confirmedAt: Timestamp.nullable().describe(
      'Null until the link in the mail is opened: no newsletter may be sent before.',
    ),
    unsubscribeUrl: z
      .string()
      .optional()
      .describe(
        'Unsubscribe link for every newsletter to this subscriber; missing until the subscription is confirmed.',
      ),
  })
  .meta({ id: 'Subscriber' })

export function listSubscribersRoute(app: App, { db, links, accountUrl }: IdentityContext): void {
  app.get('/admin/newsletter/subscribers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      summary: 'Subscribers of the newsletter, newest first',
      description: 'With the unsubscribe link of each of them, for the tool that sends the newsletter.',
      querystring: z.object({
        ...pageParameters({ default: 25, max: 100 }),
      }),
      response: { 200: listOf(Subscriber).extend(pageFields) },
    },
    handler: async ({ query: { page, per_page: perPage } }) => {
      const place = { limit: perPage, offset: (page - 1) * perPage }
      const { subscribers, total } = await snapshot(db, (moment) => listSubscribers(moment, place))
      const items = subscribers.map((subscriber) => ({
        email: subscriber.email_canonical ?? subscriber.email,
        subscribedAt: subscriber.subscribed_at.toISOString(),
        confirmedAt: subscriber.confirmed_at?.toISOString() ?? null,
        ...(subscriber.confirmed_at === null
          ? {}
          : { unsubscribeUrl: unsubscribeLink(links, accountUrl, subscriber.id) }),
      }))
      return { items, total, page, perPage }
    },
  })
}

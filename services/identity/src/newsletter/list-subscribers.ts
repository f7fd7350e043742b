import { snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { listSubscribers } from './newsletter.queries.ts'
import { unsubscribeLink } from './unsubscribe.ts'

const Subscriber = z
  .object({
    email: z.string(),
    subscribedAt: Timestamp,
    /** Null until the link of the mail was opened: nothing may be sent before. */
    confirmedAt: Timestamp.nullable(),
    unsubscribeUrl: z
      .string()
      .optional()
      .describe('Belongs into every newsletter to this subscriber; only with those who have confirmed'),
  })
  .meta({ id: 'Subscriber' })

export function listSubscribersRoute(app: App, { db, links, accountUrl }: Dependencies): void {
  app.get('/admin/newsletter/subscribers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      tags: ['Admin: customers'],
      summary: 'Subscribers of the newsletter, newest first',
      description: 'With the link that takes each of them off it, for the tool that sends the newsletter.',
      querystring: z.object({
        page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
        per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
      }),
      response: { 200: listOf(Subscriber).extend({ page: z.int().positive(), perPage: z.int().positive() }) },
    },
    handler: async ({ query: { page, per_page: perPage } }) => {
      const place = { limit: perPage, offset: (page - 1) * perPage }
      const { subscribers, total } = await snapshot(db, (moment) => listSubscribers(moment, place))
      const items = subscribers.map((subscriber) => ({
        email: subscriber.email,
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

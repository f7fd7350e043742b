import { snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { listSubscribers } from './newsletter.queries.ts'

const Subscriber = z
  .object({
    email: z.string(),
    subscribedAt: Timestamp,
    /** Null until the link of the mail was opened: nothing may be sent before. */
    confirmedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Subscriber' })

export function listSubscribersRoute(app: App, { db }: Dependencies): void {
  app.get('/admin/newsletter/subscribers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      tags: ['Admin: customers'],
      summary: 'Subscribers of the newsletter, newest first',
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
      }))
      return { items, total, page, perPage }
    },
  })
}

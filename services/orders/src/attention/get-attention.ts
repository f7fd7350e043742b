import type { App } from '@storefront/http'
import { OrdersAttention } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { countWaiting } from './attention.queries.ts'

const MAX_COUNTED = 1000

/** How many orders, refunds and findings wait for a person. */
export function getAttentionRoute(app: App, { db }: OrdersContext): void {
  app.get('/admin/attention', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      summary: 'How many orders, refunds and findings wait for a person',
      description:
        `Each number is counted up to ${MAX_COUNTED}. Low stock, webhooks and mails that need attention are in ` +
        '`GET /admin/products/low-stock`, `GET /admin/webhooks/deliveries` and `GET /admin/notifications`.',
      response: { 200: OrdersAttention },
    },
    handler: async () => {
      const { ordersToPack, refundsToSettle, reconciliationFindings } = await countWaiting(db, MAX_COUNTED + 1)
      return {
        ordersToPack: capped(ordersToPack),
        refundsToSettle: capped(refundsToSettle),
        reconciliationFindings: capped(reconciliationFindings),
      }
    },
  })
}

function capped(found: number): { count: number; more: boolean } {
  return { count: Math.min(found, MAX_COUNTED), more: found > MAX_COUNTED }
}

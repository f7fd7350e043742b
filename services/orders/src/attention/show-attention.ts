import type { App } from '@storefront/http'
import { OrdersAttention } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { countWaiting } from './attention.queries.ts'

const MOST = 1000

/** How many orders, refunds and findings wait for a person. */
export function showAttentionRoute(app: App, { db }: OrdersContext): void {
  app.get(
    '/admin/attention',
    {
      config: { access: { admin: 'orders:read' } },
      schema: {
        summary: 'How many orders, refunds and findings wait for a person',
        description:
          `Each number is counted up to ${MOST}. Low stock, webhooks and mails that need attention are in ` +
          '`GET /admin/products/low-stock`, `GET /admin/webhooks/deliveries` and `GET /admin/notifications`.',
        response: { 200: OrdersAttention },
      },
    },
    async () => {
      const { ordersToPack, refundsToSettle, reconciliationFindings } = await countWaiting(db, MOST + 1)
      return {
        ordersToPack: capped(ordersToPack),
        refundsToSettle: capped(refundsToSettle),
        reconciliationFindings: capped(reconciliationFindings),
      }
    },
  )
}

function capped(found: number): { count: number; more: boolean } {
  return { count: Math.min(found, MOST), more: found > MOST }
}

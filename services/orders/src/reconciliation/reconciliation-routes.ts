import { z } from 'zod'
import { recordAction, transaction, type App } from '@storefront/chassis'
import { Reconciliation, type Finding } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { retryFailedWebhooks } from './books.queries.ts'
import { lastReconciliation, type Reconciler } from './reconcile.ts'

/** Whether orders, payments, holds and stock agree, as of the last comparison. */
export function getReconciliationRoute(app: App, { db }: OrdersContext): void {
  app.get(
    '/admin/reconciliation',
    {
      config: { access: { admin: 'orders:read' } },
      schema: {
        tags: ['Admin: orders'],
        summary: 'What does not add up between orders, payments, holds and stock, as of the last comparison',
        response: { 200: Reconciliation },
      },
    },
    () => lastReconciliation(db),
  )
}

const Body = z.object({
  /** Seconds that something must be old to be compared: what is younger may still be on its way. */
  settledAfterSeconds: z.int().min(0).max(3600).optional(),
  /** Has webhooks that were given up tried again, after somebody has mended what they failed of. */
  retryWebhooks: z.boolean().optional(),
})

/** Compares now, which otherwise happens every few minutes. */
export function runReconciliationRoute(app: App, { db, clock, log }: OrdersContext, { reconcile }: Reconciler): void {
  app.post(
    '/admin/reconciliation',
    {
      config: { access: { admin: 'orders:write' } },
      schema: {
        tags: ['Admin: orders'],
        summary: 'Compare orders, payments, holds and stock now',
        body: Body.nullish(),
        response: { 200: Reconciliation },
      },
    },
    async ({ body, actor }) => {
      const retried = await transaction(db, async (tx) => {
        const at = clock.now()
        const webhooks = body?.retryWebhooks === true ? await retryFailedWebhooks(tx, at) : []
        const subject = { kind: 'reconciliation' as const, id: 'reconciliation' }
        await recordAction(tx, { actor, action: 'run', subject, after: { webhooks: webhooks.length }, at })
        return webhooks
      })
      if (retried.length > 0) log.warn({ webhooks: retried }, 'webhooks that were given up are tried again')
      const seconds = body?.settledAfterSeconds
      const report = await reconcile(seconds === undefined ? undefined : seconds * 1000)
      return { ...report, repaired: [...retried.map(retriedFinding), ...report.repaired] }
    },
  )
}

function retriedFinding({ provider, eventId }: { provider: string; eventId: string }): Finding {
  return {
    kind: 'webhook_retried',
    subject: `${provider} ${eventId}`,
    message: 'This webhook is worked off again. Compare once more in a minute to see whether it could be.',
  }
}

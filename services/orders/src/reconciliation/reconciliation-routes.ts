import { z } from 'zod'
import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Reconciliation, type Finding } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { retryFailedWebhooks } from './ledger.queries.ts'
import { SETTLED_AFTER_MS } from './compare-ledgers.ts'
import { lastReconciliation, type Reconciler } from './reconcile.ts'

/** Whether orders, payments, refunds, reservations, stock and discount redemptions agree, as of the last comparison. */
export function getReconciliationRoute(app: App, { db }: OrdersContext): void {
  app.get('/admin/reconciliation', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      summary: 'Inconsistencies between orders, payments, reservations and stock, as of the last comparison',
      description:
        'Compared every few minutes. `ok` is true only if every service could be read and nothing was found; each finding ' +
        'explains how to fix it.',
      response: { 200: Reconciliation },
    },
    handler: () => lastReconciliation(db),
  })
}

const Body = z.object({
  settledAfterSeconds: z
    .int()
    .min(0)
    .max(3600)
    .optional()
    .describe(
      `Younger records may still be in progress and are not compared; ${SETTLED_AFTER_MS / 1000} seconds if omitted.`,
    ),
  retryWebhooks: z
    .boolean()
    .optional()
    .describe("true processes providers' webhooks again that were given up; fix their cause first."),
})

/** Compares now, which otherwise happens every few minutes. */
export function runReconciliationRoute(app: App, { db, clock, log }: OrdersContext, { reconcile }: Reconciler): void {
  app.post('/admin/reconciliation', {
    config: { access: { admin: 'orders:write' } },
    schema: {
      summary: 'Compare orders, payments, reservations and stock now',
      description: 'Also repairs what it can, lists that as `repaired`, and returns the new report.',
      body: Body.nullish(),
      response: { 200: Reconciliation },
    },
    handler: async ({ body, actor }) => {
      const retried = await transaction(db, async (tx) => {
        const at = clock.now()
        const webhooks = body?.retryWebhooks === true ? await retryFailedWebhooks(tx, at) : []
        const subject = { kind: 'reconciliation' as const, id: 'reconciliation' }
        await recordAction(tx, { actor, action: 'run', subject, after: { webhooks: webhooks.length }, at })
        return webhooks
      })
      if (retried.length > 0) log.warn({ webhooks: retried }, 'failed webhooks are retried')
      const seconds = body?.settledAfterSeconds
      const report = await reconcile(seconds === undefined ? undefined : seconds * 1000)
      return { ...report, repaired: [...retried.map(retriedFinding), ...report.repaired] }
    },
  })
}

function retriedFinding({ provider, eventId }: { provider: string; eventId: string }): Finding {
  return {
    kind: 'webhook_retried',
    subject: `${provider} ${eventId}`,
    message: 'This webhook is being processed again. Run the comparison again in a minute to see the result.',
  }
}

import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Reconciliation } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { lastReconciliation, reconcile } from './reconcile.ts'

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
})

/** Compares now, which otherwise happens every few minutes. */
export function runReconciliationRoute(app: App, context: OrdersContext): void {
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
    ({ body }) => {
      const seconds = body?.settledAfterSeconds
      return reconcile(context, seconds === undefined ? {} : { settledAfterMs: seconds * 1000 })
    },
  )
}

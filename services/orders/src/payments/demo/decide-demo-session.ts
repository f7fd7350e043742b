import { randomUUID } from 'node:crypto'
import { transaction } from '@storefront/postgres'
import type { OrdersContext } from '../../context.ts'
import type { DemoSessionStatus } from '../../database.ts'
import { demoSessionNotFound } from '../../errors.ts'
import { storeProviderEvent } from '../../webhooks/webhooks.queries.ts'
import { demoEventOf } from './demo-event.ts'
import { decideDemoSession, findDemoSession, type DemoSession } from './demo.queries.ts'

export type DemoContext = Pick<OrdersContext, 'db' | 'clock'> & {
  /** Called when the demo provider has sent an event. */
  arrived: () => void
}

/**
 * Records the buyer's decision, once, and notifies the shop as every provider does: the event and the decision commit
 * together, into the same table that webhooks from outside are stored in.
 * @returns the current session, whichever request decided it
 * @throws HttpError `not_found`
 */
export async function decide(
  { db, clock, arrived }: DemoContext,
  id: string,
  status: Extract<DemoSessionStatus, 'paid' | 'declined' | 'cancelled'>,
): Promise<DemoSession> {
  const now = clock.now()
  const paymentReference = status === 'paid' ? `demo_pay_${randomUUID().replaceAll('-', '')}` : null
  const decided = await transaction(db, async (tx) => {
    const session = await decideDemoSession(tx, id, { status, paymentReference }, now)
    if (session) await storeProviderEvent(tx, demoEventOf(session, status), now)
    return session
  })
  if (decided) arrived()
  const session = decided ?? (await findDemoSession(db, id))
  if (!session) throw demoSessionNotFound()
  return session
}

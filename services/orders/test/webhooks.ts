import { createHmac, randomBytes } from 'node:crypto'
import { createDatabase } from '@storefront/postgres'
import type { Suite } from '@storefront/tools/testing'
import type { Database, OrdersTables } from '../src/database.ts'

export const DEMO_SECRET = `whsec_${randomBytes(32).toString('base64')}`

/** The database of the service under test, with the permissions of the service. */
export function openDatabase({ databaseUrl, log }: Suite): Database {
  return createDatabase<OrdersTables>({ url: databaseUrl('orders'), poolSize: 10, name: 'test', log })
}

/** The headers that the demo provider sends with this body. */
export function signed(body: Buffer | string, options: { id?: string; at?: Date; secret?: string } = {}) {
  const { id = `evt_${randomBytes(8).toString('hex')}`, at = new Date(), secret = DEMO_SECRET } = options
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` }
}

export interface KeptEvent {
  provider: string
  event_id: string
  type: string
  payload: Buffer
  received_at: Date
  status: string
  attempts: number
  next_attempt_at: Date
  last_error: string | null
}

/** The stored events of providers, in the order of arrival. */
export function keptEvents(suite: Suite): Promise<KeptEvent[]> {
  return suite.sql<KeptEvent>('select * from orders.provider_events order by received_at, event_id')
}

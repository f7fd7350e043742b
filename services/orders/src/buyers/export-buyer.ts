import { z } from 'zod'
import { recordAction } from '@storefront/audit'
import type { App } from '@storefront/http'
import { sendRequest } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import {
  Address,
  AlertRecord,
  Buyer,
  BuyerDraftOrder,
  Order,
  ReadAlertsOfAddress,
  Timestamp,
} from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { buyersDraft } from '../drafts/draft.ts'
import { findDraftsOfBuyer } from '../drafts/drafts.queries.ts'
import { buyerNotFound } from '../errors.ts'
import { publicOrder } from '../orders/order.ts'
import { shownBuyer } from './buyer.ts'
import { findAddresses, findBuyer, findOrdersOfBuyer } from './buyers.queries.ts'
import { BuyerParams } from './get-buyer.ts'

const BATCH = 50
/** More than any person places: a cash register that uses one address for all orders must not exhaust the memory. */
const MAX_ORDERS = 2000
const MAX_DRAFTS = 200

const BuyerData = z
  .object({
    generatedAt: Timestamp.describe('When the data was read.'),
    buyer: Buyer.omit({ tags: true }).describe('The buyer with totals.'),
    addresses: z.array(Address).describe('Where the orders were sent, each address once.'),
    orders: z.array(Order).describe(`As GET /orders shows them, oldest first; the first ${MAX_ORDERS} at most.`),
    draftOrders: z
      .array(BuyerDraftOrder)
      .describe(`Orders that the shop made for the address, oldest first; the first ${MAX_DRAFTS} at most.`),
    alerts: z.array(AlertRecord).describe('Products that the address waits for.'),
  })
  .meta({ id: 'BuyerData' })

/** The personal data of a guest, for a guest who requests it. */
export function exportBuyerRoute(app: App, { db, messaging, clock }: OrdersContext): void {
  app.get('/admin/buyers/:id/export', {
    config: { access: { admin: 'customers:write' }, errors: ['not_found'] },
    schema: {
      summary: 'The personal data of a buyer, as a file',
      description:
        'For a person who has bought as a guest and requests their data. Notes and tags of the shop are left out, as in ' +
        '`GET /me/export`: they may hold what another person said. The data of an account are in ' +
        '`GET /admin/customers/{id}/export`. While catalog is unavailable, there is no export. The response has `Content-Disposition: attachment`.',
      params: BuyerParams,
      response: { 200: BuyerData },
    },
    handler: async ({ params: { id }, actor }, reply) => {
      const buyer = await findBuyer(db, id)
      if (!buyer) throw buyerNotFound()
      const addresses = await findAddresses(db, id, MAX_ORDERS)
      const orders = await readOrders(db, id)
      const drafts = await findDraftsOfBuyer(db, id, MAX_DRAFTS)
      // Without a reply there is no export: an incomplete one must not look complete.
      const { alerts } = await sendRequest(messaging, ReadAlertsOfAddress, { email: buyer.email_canonical })
      const at = clock.now()
      await transaction(db, (tx) => recordAction(tx, { actor, action: 'export', subject: { kind: 'buyer', id }, at }))
      const { tags: _tags, ...shown } = shownBuyer(buyer)
      void reply.header('content-disposition', 'attachment; filename="personal-data.json"')
      const draftOrders = drafts.map(buyersDraft)
      return { generatedAt: at.toISOString(), buyer: shown, addresses, orders, draftOrders, alerts }
    },
  })
}

async function readOrders(db: Database, buyerId: string): Promise<Order[]> {
  const orders: Order[] = []
  let after = ''
  while (orders.length < MAX_ORDERS) {
    const batch = await findOrdersOfBuyer(db, buyerId, { after, limit: BATCH })
    orders.push(...batch.map(publicOrder))
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) break
    after = last.id
  }
  return orders
}

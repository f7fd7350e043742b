import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { BuyerDetails, OpaqueId } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { buyerNotFound } from '../errors.ts'
import { shownBuyer } from './buyer.ts'
import { findBuyerNotes, shownNote } from './buyer-notes.queries.ts'
import { findAddresses, findBuyer } from './buyers.queries.ts'

const LATEST_ORDERS = 50

export const BuyerParams = z.object({ id: OpaqueId.describe('Id of a buyer, as GET /admin/buyers lists it.') })

export function getBuyerRoute(app: App, { db, names }: OrdersContext & { names: ActorNames }): void {
  app.get('/admin/buyers/:id', {
    config: { access: { admin: 'customers:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One buyer, with addresses, tags and notes',
      description: 'The orders of a buyer are in `GET /admin/orders` with `customer` and the email address.',
      params: BuyerParams,
      response: { 200: BuyerDetails },
    },
    handler: async ({ params: { id } }) => {
      const buyer = await findBuyer(db, id)
      if (!buyer) throw buyerNotFound()
      const addresses = await findAddresses(db, id, LATEST_ORDERS)
      const notes = await findBuyerNotes(db, id)
      const nameOf = await names(notes.map(({ author }) => author))
      return { ...shownBuyer(buyer), addresses, notes: notes.map((note) => shownNote(note, nameOf)) }
    },
  })
}

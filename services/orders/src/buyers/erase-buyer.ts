import { recordAction } from '@storefront/audit'
import type { App } from '@storefront/http'
import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { BuyerErased, isOwner, newId, Ok, readEmailAddress } from '@storefront/contracts'
import { deleteCapabilities, deleteGiftMessages } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { insertDeletedCustomers } from '../customers/customers.queries.ts'
import { deleteDraftsOf } from '../drafts/drafts.queries.ts'
import { buyerHasAccount, buyerNotFound, ownerNeeded } from '../errors.ts'
import { lockBuyers } from './apply-buyer-changes.queries.ts'
import {
  assignOrders,
  assignPaymentSessions,
  deleteBuyer,
  findUncomparedSessions,
  isAddressOfAccount,
  lockBuyer,
  lockGuestOrders,
} from './buyers.queries.ts'
import { BuyerParams } from './get-buyer.ts'

/** Deletes what the shop has about a guest, as the deletion of an account does for a customer. */
export function eraseBuyerRoute(app: App, { db, clock }: OrdersContext): void {
  app.delete('/admin/buyers/:id', {
    config: { access: { admin: 'customers:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete the data of a guest',
      description:
        'For owners. Deletes the buyer with notes and tags for good. The orders stay in the records of the shop, and are visible ' +
        'only to the merchant: access tokens, links in mails and lookups no longer open them, and no account with the ' +
        'address gets them. The alerts of the address are deleted, and no more mails ' +
        'about the orders are sent. A buyer with an account is 409: delete the account, with ' +
        '`DELETE /admin/customers/{id}`.',
      params: BuyerParams,
      response: { 200: Ok },
    },
    handler: async ({ params: { id }, actor }) =>
      transaction(db, async (tx) => {
        await lockBuyers(tx)
        const buyer = await lockBuyer(tx, id)
        if (!buyer) throw buyerNotFound()
        if (actor.kind !== 'admin' || !isOwner(actor.permissions)) throw ownerNeeded()
        if (buyer.customer_id !== null || (await isAddressOfAccount(tx, buyer.email_canonical))) throw buyerHasAccount()
        const at = clock.now()
        const customerId = await closeOrders(tx, buyer.email_canonical, at)
        await deleteDraftsOf(tx, buyer.email_canonical)
        await publish(tx, BuyerErased, { email: buyer.email_canonical, customerId }, at)
        await deleteBuyer(tx, { id, canonical: buyer.email_canonical })
        await recordAction(tx, { actor, action: 'erase', subject: { kind: 'buyer', id }, at })
        return { ok: true as const }
      }),
  })
}

/**
 * Assigns the guest's orders to a deleted customer who never existed, which closes them everywhere.
 * @returns the id of that customer
 */
async function closeOrders(tx: Tx, canonical: string, at: Date): Promise<string> {
  const customerId = newId('customer')
  const orderIds = await lockGuestOrders(tx, canonical)
  await assignOrders(tx, orderIds, customerId)
  const uncompared = await findUncomparedSessions(tx)
  const own = uncompared.filter(({ email }) => readEmailAddress(email)?.canonical === canonical)
  await assignPaymentSessions(tx, { canonical, orderIds, sessionIds: own.map(({ id }) => id) }, customerId)
  await insertDeletedCustomers(tx, [{ customerId, at: at.toISOString() }])
  await deleteCapabilities(tx, [customerId])
  await deleteGiftMessages(tx, [customerId])
  return customerId
}

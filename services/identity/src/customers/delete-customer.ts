import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { isOwner, Ok } from '@storefront/contracts'
import { lockAccountToDelete } from '../accounts/accounts.queries.ts'
import { deleteData } from '../accounts/delete-data.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { IdentityContext } from '../context.ts'
import { customerNotFound, ownerNeeded } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import { CustomerParams } from './get-customer.ts'

/** The same as `DELETE /me`, for a customer who requests it in writing. */
export function deleteCustomerRoute(app: App, context: IdentityContext): void {
  const { db, clock, revocations, verifyActor } = context
  app.delete('/admin/customers/:id', {
    config: { access: { admin: 'customers:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Delete the account of a customer with its data',
      description: 'For owners. The same as `DELETE /me` by the customer, and the customer gets the same mail.',
      params: CustomerParams,
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { id } = request.params
      const { userId, permissions } = adminOf(request.actor)
      const origin = originOf(request, verifyActor)
      const at = clock.now()
      const revoked = await transaction(db, async (tx) => {
        const account = await lockAccountToDelete(tx, id)
        if (!account) throw customerNotFound()
        if (!isOwner(permissions)) throw ownerNeeded()
        await recordAudit(tx, { action: 'delete_customer', actor: userId, subject: id, origin, at })
        return deleteData(tx, account, at)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}

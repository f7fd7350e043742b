import type { App } from '@storefront/http'
import { snapshot, transaction } from '@storefront/postgres'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { IdentityContext } from '../context.ts'
import { customerNotFound } from '../errors.ts'
import { PersonalData, readPersonalData } from '../personal-data/export-personal-data.ts'
import { adminOf } from '../sessions/caller.ts'
import { findCustomer } from './customers.queries.ts'
import { CustomerParams } from './get-customer.ts'

/** The document of `GET /me/export`, for a customer who requests it in writing. */
export function exportCustomerRoute(app: App, context: IdentityContext): void {
  const { db, clock, verifyActor } = context
  app.get('/admin/customers/:id/export', {
    config: { access: { admin: 'customers:write' }, errors: ['not_found'] },
    schema: {
      summary: 'The personal data of a customer, as a file',
      description:
        'The same document as `GET /me/export`. Reads all services: while one of them is unavailable, there is no export.',
      params: CustomerParams,
      response: { 200: PersonalData },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      if (!(await snapshot(db, (moment) => findCustomer(moment, id)))) throw customerNotFound()
      const data = await readPersonalData(context, id)
      const { userId } = adminOf(request.actor)
      const origin = originOf(request, verifyActor)
      await transaction(db, (tx) =>
        recordAudit(tx, { action: 'export_customer', actor: userId, subject: id, origin, at: clock.now() }),
      )
      reply.header('content-disposition', 'attachment; filename="personal-data.json"')
      return data
    },
  })
}

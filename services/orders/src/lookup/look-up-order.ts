import { z } from 'zod'
import { newSecret, type App } from '@storefront/http'
import { Order, readEmailAddress } from '@storefront/contracts'
import { grant } from '../access/capability.ts'
import { isClosed } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { missingLookupFields, orderNotFound } from '../errors.ts'
import { publicOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { countLookup } from './lookup-attempts.ts'
import { findOrderIdByEmail } from './lookup.queries.ts'

const LookupBody = z.object({
  number: z.string().nullish().describe('The number of the order, in upper or lower case, or its id.'),
  email: z.string().nullish().describe('The email address of the order, in upper or lower case.'),
})

const MAX_LENGTH = 400

/**
 * Lets a guest find an order again: a caller who knows its number and its email address may see it from this browser.
 */
export function lookUpOrderRoute(app: App, context: OrdersContext): void {
  app.post('/orders/lookup', {
    config: { access: 'public', errors: ['missing_fields', 'not_found'] },
    schema: {
      summary: 'Find an order by its number and its email address, and open it for this browser',
      description:
        "For guests: the browser's cookie and the `accessToken` of the response open the order from then on. A wrong number " +
        'and a wrong address get the same 404. Lookups are limited per client and per order.',
      body: LookupBody.nullish(),
      response: { 200: Order },
    },
    handler: async (request, reply) => {
      const { number, email } = requiredFieldsOf(request.body)
      await countLookup(context, number)
      const canonical = readEmailAddress(email)?.canonical
      const id = await findOrderIdByEmail(context.db, { number, canonical })
      const order = id === undefined ? undefined : await findOrder(context.db, id)
      if (!order || (await isClosed(context.db, order.id))) throw orderNotFound()
      const accessToken = newSecret()
      const browser = context.browsers.rotate(request, order.id)
      await grant(context.db, order.id, [browser.secret, accessToken])
      browser.send(reply)
      return { ...publicOrder(order), accessToken }
    },
  })
}

/** @throws HttpError `missing_fields` */
function requiredFieldsOf(body: z.output<typeof LookupBody> | null | undefined): { number: string; email: string } {
  // A longer text is no number and no address of an order, and gets the 404 of every wrong one.
  const number = (body?.number?.trim() ?? '').slice(0, MAX_LENGTH)
  const email = (body?.email?.trim() ?? '').slice(0, MAX_LENGTH)
  const missing = Object.entries({ number, email }).flatMap(([field, text]) => (text === '' ? [field] : []))
  if (missing.length > 0) throw missingLookupFields(missing)
  return { number, email }
}

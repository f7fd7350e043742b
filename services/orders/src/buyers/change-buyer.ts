import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { requireUnchanged, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { Buyer, declareReadOnly } from '@storefront/contracts'
import { changeOfTags, tagKey, Tags } from '../admin/tags.ts'
import type { OrdersContext } from '../context.ts'
import { buyerNotFound } from '../errors.ts'
import { shownBuyer } from './buyer.ts'
import { lockBuyer, saveBuyerTags } from './buyers.queries.ts'
import { BuyerParams } from './get-buyer.ts'

const ChangeBody = z.object({
  tags: Tags.optional().describe(
    'Replaces the tags: up to 20 of 1 to 40 characters, which differ in more than case. Buyers never see them.',
  ),
})
declareReadOnly(ChangeBody, { live: Object.keys(Buyer.shape).filter((name) => name !== 'tags') })

export function changeBuyerRoute(app: App, { db, clock }: OrdersContext): void {
  app.patch('/admin/buyers/:id', {
    config: { access: { admin: 'customers:write' }, errors: ['conflict', 'not_found', 'read_only_field'] },
    schema: {
      summary: 'Change the tags of a buyer',
      description: 'All other fields follow from the orders.',
      params: BuyerParams,
      body: ChangeBody,
      response: { 200: Buyer },
    },
    handler: async ({ params: { id }, body: { tags }, actor, sentBack }) =>
      transaction(db, async (tx) => {
        const buyer = await lockBuyer(tx, id)
        if (!buyer) throw buyerNotFound()
        requireUnchanged(sentBack, shownBuyer(buyer))
        if (tags === undefined || !changeOfTags(buyer.tags, tags)) return shownBuyer(buyer)
        await saveBuyerTags(tx, id, { tags, keys: tags.map(tagKey) })
        const subject = { kind: 'buyer', id } as const
        await recordChange(tx, { actor, subject, before: { tags: buyer.tags }, after: { tags }, at: clock.now() })
        return shownBuyer({ ...buyer, tags })
      }),
  })
}

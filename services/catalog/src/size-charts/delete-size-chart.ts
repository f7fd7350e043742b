import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { Ok, SettingsUpdated } from '@storefront/contracts'
import { changeProducts } from '../products/change-products.ts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { recordChanged, sizeChartNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { IfMatchHeader, matchesContent } from '../merchant/entity-tags.ts'
import { commitTaxonomy, type Invalidation, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { findProductsWithSizeChart, lockProducts } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { deleteSizeChart, lockSizeChart } from './size-charts.queries.ts'

export function deleteSizeChartRoute(app: App, context: CatalogContext): void {
  app.delete('/admin/size-charts/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete a size chart; the products that use it lose theirs',
      description:
        'Storefronts then link those products to a general size guide. With If-Match the reply is 409 `conflict` if the size chart ' +
        'was changed in the meantime.',
      headers: IfMatchHeader,
      params: z.object({ id: z.string().describe('Id of a size chart, which products name as `sizeChartId`.') }),
      response: { 200: Ok },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      await commitTaxonomy(context, request, reply, (tx, writer) => removeSizeChart(tx, id, writer, context))
      return { ok: true as const }
    },
  })
}

async function removeSizeChart(
  tx: Tx,
  id: string,
  { actor, ifMatch, now }: TaxonomyWriter,
  context: CatalogContext,
): Promise<Invalidation> {
  const before = await lockSizeChart(tx, id)
  if (!before) throw sizeChartNotFound()
  if (!matchesContent(ifMatch, before)) throw recordChanged('size chart')
  const using = await findProductsWithSizeChart(tx, [id])
  await lockProducts(tx, using)
  const productIds = using.length === 0 ? [] : (await findProductsWithSizeChart(tx, [id])).toSorted()
  await changeProducts(tx, productIds, ({ sizeChartId: _gone, ...product }) => product, now)
  await deleteSizeChart(tx, id)
  await publish(tx, SettingsUpdated, { version: (await findSettings(tx)).version }, now)
  const subject = { kind: 'size-chart' as const, id }
  await recordChange(tx, { actor, subject, before: { ...before, products: productIds.length }, at: now })
  const keys = await refreshProducts(tx, productIds, { ...context, locked: productIds })
  return { keys: [key.sizeCharts, ...keys], productIds }
}

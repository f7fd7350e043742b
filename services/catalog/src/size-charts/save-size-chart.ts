import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { newId, SettingsUpdated, SizeChart, SizeChartChange } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { recordChanged } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { contentTagOf, IfMatchHeader, matchesContent } from '../merchant/entity-tags.ts'
import { commitTaxonomy, type Invalidation, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { findProductsWithSizeChart } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { lockSizeChart, upsertSizeChart } from './size-charts.queries.ts'

/** Saves a whole size chart, which all products that use it show. A chart without an id is new. */
export function saveSizeChartRoute(app: App, context: CatalogContext): void {
  app.post('/admin/size-charts', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict'] },
    schema: {
      summary: 'Save a whole size chart',
      description:
        'Saved under its id, or under a new one when the id is empty or left out; the reply contains it. Each row begins with its ' +
        'size. Its other cells are measurements: numbers, or numbers as text such as "51.5", which become numbers. With If-Match the ' +
        'reply is 409 `conflict` if the size chart was changed in the meantime.',
      headers: IfMatchHeader,
      body: SizeChartChange,
      response: { 200: SizeChart },
    },
    handler: async (request, reply) => {
      const chart = { ...request.body, id: request.body.id || newId('sizeChart') }
      await commitTaxonomy(context, request, reply, (tx, writer) => saveSizeChart(tx, chart, writer, context))
      reply.header('etag', contentTagOf(chart))
      return chart
    },
  })
}

async function saveSizeChart(
  tx: Tx,
  chart: SizeChart,
  { actor, ifMatch, now }: TaxonomyWriter,
  context: CatalogContext,
): Promise<Invalidation> {
  const before = await lockSizeChart(tx, chart.id)
  if (!matchesContent(ifMatch, before)) throw recordChanged('size chart')
  if (!(await upsertSizeChart(tx, chart))) return { keys: [] }
  await publish(tx, SettingsUpdated, { version: (await findSettings(tx)).version }, now)
  const subject = { kind: 'size-chart' as const, id: chart.id }
  await recordChange(tx, { actor, subject, ...(before && { before }), after: chart, at: now })
  const products = await findProductsWithSizeChart(tx, [chart.id])
  return { keys: [key.sizeCharts, ...(await refreshProducts(tx, products, context))] }
}

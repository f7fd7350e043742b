import { publish, transaction, type App } from '@storefront/chassis'
import { SettingsUpdated, SizeChart, SizeChartInput, type Actor } from '@storefront/contracts'
import { recordChange } from '../audit/record-change.ts'
import { lockTaxonomy } from '../categories/categories.queries.ts'
import type { TaxonomyContext } from '../categories/save-category.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { settleWrite } from '../merchant/settle-write.ts'
import { findProductsWithSizeChart } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { lockSizeChart, upsertSizeChart } from './size-charts.queries.ts'

/** Saves a size chart under its id, whole: all products that name it show it so. */
export function saveSizeChartRoute(app: App, context: TaxonomyContext): void {
  app.post(
    '/admin/size-charts',
    {
      config: { access: { admin: 'catalog:write' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Save a size chart under its id, whole',
        body: SizeChartInput,
        response: { 200: SizeChart },
      },
    },
    async ({ body, actor }, reply) => {
      const keys = await transaction(context.db, (tx) => saveSizeChart(tx, body, actor, context))
      await settleWrite(context, { keys }, reply)
      return body
    },
  )
}

async function saveSizeChart(tx: Tx, chart: SizeChart, actor: Actor, context: TaxonomyContext): Promise<string[]> {
  const now = context.clock.now()
  await lockTaxonomy(tx)
  const before = await lockSizeChart(tx, chart.id)
  if (!(await upsertSizeChart(tx, chart))) return []
  await publish(tx, SettingsUpdated, { version: (await findSettings(tx)).version }, now)
  const subject = { kind: 'size-chart' as const, id: chart.id }
  await recordChange(tx, { actor, subject, ...(before && { before }), after: chart, at: now })
  const products = await findProductsWithSizeChart(tx, [chart.id])
  return [key.sizeCharts, ...(await refreshProducts(tx, products, context))]
}

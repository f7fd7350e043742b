import { sql, type RawBuilder } from 'kysely'
import type { ImportRowType } from '@storefront/contracts'
import type { CheckedImport, RowFault } from './row-fault.ts'

/** A kind of records that rows refer to. */
interface Target {
  target: ImportRowType
  /** The count that shows whether rows refer to any. */
  has: 'hasRefs' | 'hasCharts'
  title: string
  names: RawBuilder<unknown>
  /** Whether the shop has `named.name`, and keeps it. */
  inShop: RawBuilder<unknown>
}

/** References to records that neither the import nor the shop has. */
export function unknownReferences({ id: jobId, mode, types }: CheckedImport): RowFault[] {
  // A replacing import deletes everything that is not in it.
  const stored = sql.raw(mode === 'merge' ? 'true' : 'false')
  const unknown = (type: ImportRowType, field: string, { target, has, title, names, inShop }: Target): RowFault => ({
    isPossible: types.get(type)?.[has] === true,
    statement: sql`
    select place, path || ${`.${field}`} as path, ${`there is no ${title} `} || named.name as message
    from import_rows r, unnest(${names}) as named (name)
    where job_id = ${jobId} and type = ${type} and named.name is not null
      and not exists (select 1 from import_rows t where t.job_id = ${jobId} and t.type = ${target} and t.key = named.name)
      and not ${inShop}`,
  })
  const category: Target = {
    target: 'category',
    has: 'hasRefs',
    title: 'category',
    names: sql`r.refs`,
    inShop: sql`(${stored} and exists (select 1 from categories c where c.slug = named.name))`,
  }
  const sizeChart: Target = {
    names: sql`array[r.chart]`,
    target: 'sizeChart',
    has: 'hasCharts',
    title: 'size chart',
    inShop: sql`(${stored} and exists (select 1 from size_charts c where c.id = named.name))`,
  }
  const product: Target = {
    target: 'product',
    has: 'hasRefs',
    title: 'product',
    names: sql`r.refs`,
    inShop: sql`exists (
      select 1 from (
        select id from products p where p.slug = named.name
        union all select product_id from former_slugs f where f.slug = named.name
      ) as known (id)
      where ${stored} or exists (select 1 from import_rows p
        where p.job_id = ${jobId} and p.type = 'product' and p.stored_id = known.id))`,
  }
  return [
    unknown('product', 'categories', category),
    unknown('category', 'parent', category),
    unknown('product', 'sizeChartId', sizeChart),
    unknown('collection', 'products', product),
    unknown('review', 'product', product),
  ]
}

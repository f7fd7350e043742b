import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { ProductDocument } from './product.ts'

export interface ProductRow {
  id: string
  slug: string
  version: number
  fingerprint: string
  published: boolean
  document: ProductDocument
  createdAt: Date
  categories: string[]
}

/** Locks products in the order of their ids, for a change or a refresh. */
export async function lockProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`select 1 from products where id = any(${ids}) order by id for update`.execute(tx)
}

export async function findProductsBySlug(tx: Tx, slugs: readonly string[]): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select id, slug, version, fingerprint, published, document, created_at as "createdAt",
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories
    from products p where slug = any(${slugs}) order by id for update`.execute(tx)
  return rows
}

export interface NewProductRow {
  id: string
  slug: string
  title: string
  published: boolean
  document: ProductDocument
  priceMinor: number
  compareAtMinor: number | null
  currency: string
  tags: string[]
  position: number | null
  createdAt: Date
  fingerprint: string
}

/** Saves a product under its id and counts its version up. @returns the new version */
export async function upsertProduct(tx: Tx, row: NewProductRow): Promise<number> {
  const values = {
    slug: row.slug,
    title: row.title,
    published: row.published,
    document: JSON.stringify(row.document),
    price_minor: row.priceMinor,
    compare_at_minor: row.compareAtMinor,
    currency: row.currency,
    tags: row.tags,
    position: row.position,
    created_at: row.createdAt,
    fingerprint: row.fingerprint,
  }
  const saved = await tx
    .insertInto('products')
    .values({ id: row.id, ...values })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...values, version: sql<number>`products.version + 1` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return saved.version
}

export interface VariantRow {
  id: string
  productId: string
  position: number
  sku: string
  options: Record<string, string>
  size: string | null
  color: string | null
  priceMinor: number | null
  compareAtMinor: number | null
  imageId: string | null
}

export async function findVariantsOf(tx: Tx, productId: string): Promise<VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select id, product_id as "productId", position, sku, options, size, color, price_minor as "priceMinor",
      compare_at_minor as "compareAtMinor", image_id as "imageId"
    from variants where product_id = ${productId} order by position`.execute(tx)
  return rows
}

/** Makes the product's variants exactly these. New ones get a stock row; the rows of those that go stay. */
export async function replaceVariants(tx: Tx, productId: string, variants: readonly VariantRow[]): Promise<void> {
  const ids = variants.map((variant) => variant.id)
  await sql`delete from variants where product_id = ${productId} and id <> all(${ids})`.execute(tx)
  for (const variant of variants) {
    const values = {
      product_id: productId,
      position: variant.position,
      sku: variant.sku,
      options: JSON.stringify(variant.options),
      size: variant.size,
      color: variant.color,
      price_minor: variant.priceMinor,
      compare_at_minor: variant.compareAtMinor,
      image_id: variant.imageId,
    }
    await tx
      .insertInto('variants')
      .values({ id: variant.id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
  }
  await sql`
    insert into stock (variant_id, product_id, on_hand, reserved)
    select id, ${productId}, 0, 0 from unnest(${ids}::text[]) as id on conflict do nothing`.execute(tx)
}

/** SKUs among these that belong to another product. */
export async function findForeignSkus(tx: Tx, skus: readonly { sku: string; productId: string }[]): Promise<string[]> {
  const { rows } = await sql<{ sku: string }>`
    select v.sku from variants v join unnest(
      ${skus.map((each) => each.sku)}::text[], ${skus.map((each) => each.productId)}::text[]) as t (sku, product_id)
      on t.sku = v.sku where v.product_id <> t.product_id`.execute(tx)
  return rows.map((row) => row.sku)
}

export async function replaceCategoriesOf(tx: Tx, productId: string, categories: readonly string[]): Promise<void> {
  await sql`delete from product_categories where product_id = ${productId} and category_slug <> all(${categories})`.execute(
    tx,
  )
  await sql`
    insert into product_categories (product_id, category_slug)
    select ${productId}, slug from unnest(${categories}::text[]) as slug on conflict do nothing`.execute(tx)
}

/** Deletes products. Their variants, answers and places in categories go with them; their stock rows stay. */
export async function deleteProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`delete from products where id = any(${ids})`.execute(tx)
}

export interface RefreshRow {
  id: string
  slug: string
  title: string
  published: boolean
  document: ProductDocument
  priceMinor: number
  compareAtMinor: number | null
  currency: string
  tags: string[]
  createdAt: Date
  version: number
  inStock: boolean
  categories: string[]
  variants: {
    id: string
    sku: string
    options: Record<string, string>
    priceMinor: number | null
    compareAtMinor: number | null
    imageId: string | null
    inventory: number
    stockVersion: number
    announced: number | null
  }[]
  ratingSum: number
  ratingCount: number
  fitSmall: number
  fitTrue: number
  fitLarge: number
  unitsSold: number
  sizeChart: unknown
}

/** All that the answers of these products are made from, in one statement. */
export async function findForRefresh(tx: Tx, ids: readonly string[], since: Date): Promise<RefreshRow[]> {
  const { rows } = await sql<RefreshRow>`
    select p.id, p.slug, p.title, p.published, p.document, p.price_minor as "priceMinor",
      p.compare_at_minor as "compareAtMinor", p.currency, p.tags, p.created_at as "createdAt", p.version,
      p.in_stock as "inStock",
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', v.id, 'sku', v.sku, 'options', v.options, 'priceMinor', v.price_minor,
          'compareAtMinor', v.compare_at_minor, 'imageId', v.image_id, 'inventory', s.on_hand - s.reserved,
          'stockVersion', s.version, 'announced', s.announced) order by v.position), '[]')
        from variants v join stock s on s.variant_id = v.id where v.product_id = p.id) as variants,
      coalesce(r.rating_sum, 0)::int as "ratingSum", coalesce(r.rating_count, 0)::int as "ratingCount",
      coalesce(r.fit_small, 0)::int as "fitSmall", coalesce(r.fit_true, 0)::int as "fitTrue",
      coalesce(r.fit_large, 0)::int as "fitLarge",
      (select coalesce(sum(units), 0)::int from daily_sales d where d.product_id = p.id and d.day > ${since}) as "unitsSold",
      (select document from size_charts where id = p.document->>'sizeChartId') as "sizeChart"
    from products p left join lateral (
      select sum(rating) as rating_sum, count(*) as rating_count, count(*) filter (where fit = 'small') as fit_small,
        count(*) filter (where fit = 'true') as fit_true, count(*) filter (where fit = 'large') as fit_large
      from reviews where product_id = p.id and published
    ) r on true
    where p.id = any(${ids}) order by p.id`.execute(tx)
  return rows
}

export interface RefreshedProduct {
  id: string
  item: string
  page: string
  ratingAverage: number
  ratingCount: number
  unitsSold: number
  inStock: boolean
}

/** Stores new answers and, where they changed, the derived columns that lists filter and sort by. */
export async function saveAnswers(tx: Tx, all: readonly RefreshedProduct[]): Promise<void> {
  const ids = all.map((each) => each.id)
  await sql`
    insert into product_answers (product_id, item, page)
    select * from unnest(${ids}::text[], ${all.map((each) => each.item)}::text[], ${all.map((each) => each.page)}::text[])
    on conflict (product_id) do update set item = excluded.item, page = excluded.page`.execute(tx)
  await sql`
    update products p set rating_average = t.rating_average, rating_count = t.rating_count,
      units_sold_30_days = t.units_sold, in_stock = t.in_stock
    from unnest(${ids}::text[], ${all.map((each) => each.ratingAverage)}::numeric[],
      ${all.map((each) => each.ratingCount)}::int[], ${all.map((each) => each.unitsSold)}::int[],
      ${all.map((each) => each.inStock)}::bool[]) as t (id, rating_average, rating_count, units_sold, in_stock)
    where p.id = t.id and (p.rating_average, p.rating_count, p.units_sold_30_days, p.in_stock)
      is distinct from (t.rating_average, t.rating_count, t.units_sold, t.in_stock)`.execute(tx)
}

/** What a search finds a product by: `heavy` counts most. */
export interface SearchTexts {
  heavy: string
  medium: string
  light: string
}

export async function saveSearchTexts(tx: Tx, productId: string, texts: SearchTexts): Promise<void> {
  await sql`
    update products set search = setweight(to_tsvector('english', ${texts.heavy}), 'A')
      || setweight(to_tsvector('english', ${texts.medium}), 'B') || setweight(to_tsvector('english', ${texts.light}), 'C')
    where id = ${productId}`.execute(tx)
}

export async function markAnnounced(tx: Tx, variants: readonly { id: string; inventory: number }[]): Promise<void> {
  await sql`
    update stock s set announced = t.inventory
    from unnest(${variants.map((each) => each.id)}::text[], ${variants.map((each) => each.inventory)}::int[])
      as t (variant_id, inventory)
    where s.variant_id = t.variant_id`.execute(tx)
}

/** Takes products whose answers are out of date, at most `limit` rows. Several copies share the queue. */
export async function takeFromRefreshQueue(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`
    with taken as (
      delete from refresh_queue where id in (
        select id from refresh_queue order by id limit ${limit} for update skip locked)
      returning product_id)
    select distinct product_id as "productId" from taken order by 1`.execute(tx)
  return rows.map((row) => row.productId)
}

export async function findPage(
  db: Database,
  slug: string,
): Promise<{ page: string; slug: string; sizeChartId: string | null } | undefined> {
  const { rows } = await sql<{ page: string; slug: string; sizeChartId: string | null }>`
    select a.page, p.slug, p.document->>'sizeChartId' as "sizeChartId"
    from products p join product_answers a on a.product_id = p.id
    where p.published and (p.slug = ${slug} or p.id = (select product_id from former_slugs where slug = ${slug}))
    order by p.slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

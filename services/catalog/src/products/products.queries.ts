import { jsonTexts } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { ProductFields } from './product-fields.ts'

export interface ProductRow extends Pick<ProductFields, 'id' | 'slug' | 'published' | 'document' | 'createdAt'> {
  version: number
  fingerprint: string
  categories: string[]
}

/** Locks products in the order of their ids, for a change or a refresh. */
export async function lockProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select 1 from products where id = any(${ids}) order by id for update`.execute(tx)
}

/** Locks the stored products of a save: those with one of these ids, and those with one of these slugs. */
export async function findProductsToSave(
  tx: Tx,
  ids: readonly string[],
  slugs: readonly string[],
): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select id, slug, version, fingerprint, published, document, created_at as "createdAt",
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories
    from products p where id = any(${ids}) or slug = any(${slugs}) order by id for update`.execute(tx)
  return rows
}

export interface NewProductRow extends ProductFields {
  fingerprint: string
  /** Whether a new product may have existed before, because its id was given. */
  mayReturn: boolean
}

export interface UpsertedProduct {
  version: number
  /** The current slug of the product that formerly had its slug: cached responses under that slug have its key. */
  formerOwner: string | null
}

/**
 * Saves products under their ids and increments their versions. The version of a deleted product that is added again
 * begins with the time in milliseconds, because consumers that know its last version ignore a lower one.
 * @returns what was saved under each id
 */
export async function upsertProducts(
  tx: Tx,
  products: readonly NewProductRow[],
): Promise<ReadonlyMap<string, UpsertedProduct>> {
  const { rows } = await sql<UpsertedProduct & { id: string }>`
    insert into products (id, slug, title, published, document, price_minor, compare_at_minor, currency, tags, position,
      created_at, publish_at, unpublish_at, fingerprint, version)
    select id, slug, title, published, document, price_minor, compare_at_minor, currency,
      array(select jsonb_array_elements_text(tags)), position, created_at, publish_at, unpublish_at, fingerprint,
      case when may_return then (extract(epoch from clock_timestamp()) * 1000)::bigint else 1 end
    from unnest(
      ${products.map((each) => each.id)}::text[], ${products.map((each) => each.slug)}::text[],
      ${products.map((each) => each.title)}::text[], ${products.map((each) => each.published)}::bool[],
      ${jsonTexts(products.map((each) => JSON.stringify(each.document)))}::jsonb[],
      ${products.map((each) => each.priceMinor)}::bigint[], ${products.map((each) => each.compareAtMinor)}::bigint[],
      ${products.map((each) => each.currency)}::text[], ${products.map((each) => JSON.stringify(each.tags))}::jsonb[],
      ${products.map((each) => each.position)}::int[], ${products.map((each) => each.createdAt)}::timestamptz[],
      ${products.map((each) => each.publishAt)}::timestamptz[], ${products.map((each) => each.unpublishAt)}::timestamptz[],
      ${products.map((each) => each.fingerprint)}::text[], ${products.map((each) => each.mayReturn)}::bool[]
    ) as t (id, slug, title, published, document, price_minor, compare_at_minor, currency, tags, position, created_at,
      publish_at, unpublish_at, fingerprint, may_return)
    on conflict (id) do update set slug = excluded.slug, title = excluded.title, published = excluded.published,
      document = excluded.document, price_minor = excluded.price_minor, compare_at_minor = excluded.compare_at_minor,
      currency = excluded.currency, tags = excluded.tags, position = excluded.position,
      created_at = excluded.created_at, publish_at = excluded.publish_at, unpublish_at = excluded.unpublish_at,
      fingerprint = excluded.fingerprint, version = products.version + 1
    returning id, version, (
      select o.slug from former_slugs f join products o on o.id = f.product_id where f.slug = products.slug
    ) as "formerOwner"`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Stores former slugs of products, and deletes those that a product has now.
 * @param taken the slugs that products get now
 */
export async function saveFormerSlugs(
  tx: Tx,
  former: readonly { slug: string; productId: string }[],
  taken: readonly string[],
): Promise<void> {
  if (former.length > 0) {
    await sql`
      insert into former_slugs (slug, product_id)
      select * from unnest(${former.map((each) => each.slug)}::text[], ${former.map((each) => each.productId)}::text[])
      on conflict (slug) do update set product_id = excluded.product_id`.execute(tx)
  }
  if (taken.length === 0) return
  await sql`delete from former_slugs where slug = any(${taken}) /* sent with the next */`.execute(tx)
}

interface ProductCategories {
  productId: string
  categories: readonly string[]
  /** Whether the product had no categories before. */
  isNew: boolean
}

/**
 * Replaces the categories of products. Compares them with the stored ones, because those that were read while waiting
 * for the lock may be out of date.
 */
export async function replaceCategories(tx: Tx, all: readonly ProductCategories[]): Promise<void> {
  const pairs = all.flatMap(({ productId, categories }) => categories.map((slug) => ({ productId, slug })))
  const wanted = sql`unnest(${pairs.map((each) => each.productId)}::text[], ${pairs.map((each) => each.slug)}::text[])
    as w (product_id, category_slug)`
  const known = all.filter(({ isNew }) => !isNew)
  if (known.length > 0) {
    await sql`
      delete from product_categories pc where product_id = any(${known.map((each) => each.productId)})
        and not exists (select 1 from ${wanted} where w.product_id = pc.product_id and w.category_slug = pc.category_slug)
    /* sent with the next */`.execute(tx)
  }
  if (pairs.length === 0) return
  await sql`
    insert into product_categories (product_id, category_slug) select product_id, category_slug from ${wanted}
    on conflict do nothing /* sent with the next */`.execute(tx)
}

/** Updates the search data of the merchant's list from the stored products and their variants. */
export async function saveMerchantListings(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into merchant_listings (product_id, words, title, price_minor, published, created_at)
    select p.id,
      lower(public.unaccent(concat_ws(' ', p.title, p.slug, array_to_string(p.tags, ' '),
        (select string_agg(v.sku, ' ' order by v.position) from variants v where v.product_id = p.id)))),
      lower(public.unaccent(p.title)), p.price_minor, p.published, p.created_at
    from products p where p.id = any(${ids})
    on conflict (product_id) do update set words = excluded.words, title = excluded.title,
      price_minor = excluded.price_minor, published = excluded.published, created_at = excluded.created_at
    where (merchant_listings.words, merchant_listings.title, merchant_listings.price_minor, merchant_listings.published,
        merchant_listings.created_at)
      is distinct from (excluded.words, excluded.title, excluded.price_minor, excluded.published, excluded.created_at)
    /* sent with the next */`.execute(tx)
}

/**
 * Deletes products. Their variants, responses and category assignments are deleted with them; their stock rows stay.
 */
export async function deleteProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`delete from products where id = any(${ids}) /* sent with the next */`.execute(tx)
}

/** A published product by its slug, current or former. */
export async function findPublishedBySlug(
  db: Database | Tx,
  slug: string,
): Promise<Pick<ProductFields, 'id' | 'priceMinor' | 'currency'> | undefined> {
  const { rows } = await sql<Pick<ProductFields, 'id' | 'priceMinor' | 'currency'>>`
    select id, price_minor as "priceMinor", currency from products
    where published and (slug = ${slug} or id = (select product_id from former_slugs where slug = ${slug}))
    order by slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

/** Products in one of these categories or its subcategories. */
export async function findProductsInBranches(tx: Tx, categories: readonly string[]): Promise<string[]> {
  if (categories.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select distinct pc.product_id as id from category_ancestors a
      join product_categories pc on pc.category_slug = a.slug
    where a.ancestor = any(${categories})`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Increments the versions of products whose position in the tree changed, so that their projection entries are newer.
 */
export async function incrementVersions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await lockProducts(tx, ids)
  await incrementLockedVersions(tx, ids)
}

/** The same for products that are already locked. */
export async function incrementLockedVersions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update products set version = version + 1 where id = any(${ids}) /* sent with the next */`.execute(tx)
}

export async function findProductsWithSizeChart(tx: Tx, charts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where document ? 'sizeChartId' and document->>'sizeChartId' = any(${charts})`.execute(tx)
  return rows.map((row) => row.id)
}

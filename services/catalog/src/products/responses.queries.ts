import { jsonTexts, plannedOnceIfFew } from '@storefront/postgres'
import { sql } from 'kysely'
import type { FocalPoint } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { ProductFields, VariantFields } from './product-fields.ts'

interface RefreshVariant extends VariantFields {
  productId: string
  inventory: number
  stockVersion: number
  announced: number | null
  /** The quantity in the list of low stock. */
  listed: number | null
}

export interface RefreshRow extends ProductFields {
  version: number
  categories: string[]
  /** Its categories and all their ancestors, with their names, and whether each is above another of its categories. */
  branch: { slug: string; name: string; isAbove: boolean }[]
  collections: string[]
  variants: RefreshVariant[]
  ratingSum: number
  ratingCount: number
  fitSmall: number
  fitTrue: number
  fitLarge: number
  unitsSold: number
  /** Units from which a product is among the best-selling tenth; null before the first ranking. */
  bestsellerUnits: number | null
  saves: number
  sizeChart: unknown
  /** Focal points by the ids of uploaded pictures. */
  focalPoints: Record<string, FocalPoint>
}

/**
 * All data that a product's responses are made of. Without statistics, `offset 0` prevents PostgreSQL from reading all
 * pictures for each product. With 400,000 pictures, the focal points of 500 products take 12 ms. The planner does not
 * see the day, as it does not see the ids: with it, a plan for a few days of sales would look cheaper each time.
 */
export async function findForRefresh(db: Database | Tx, ids: readonly string[], since: Date): Promise<RefreshRow[]> {
  const variants = Map.groupBy(await findVariantsForRefresh(db, ids), (variant) => variant.productId)
  const { rows } = await sql<Omit<RefreshRow, 'variants'>>`
    select p.id, p.slug, p.title, p.published, p.document, p.price_minor as "priceMinor",
      p.compare_at_minor as "compareAtMinor", p.currency, p.tags, p.position, p.created_at as "createdAt",
      p.publish_at as "publishAt", p.unpublish_at as "unpublishAt", p.version,
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object('slug', c.slug, 'name', c.name, 'isAbove', b."isAbove")
          order by c.name, c.slug), '[]')
        from (
          select a.ancestor, bool_or(a.ancestor <> a.slug) as "isAbove"
          from product_categories pc join category_ancestors a on a.slug = pc.category_slug
          where pc.product_id = p.id group by 1
        ) b join categories c on c.slug = b.ancestor) as branch,
      array(select collection_slug from collection_products c where c.product_id = p.id order by 1) as collections,
      coalesce((select sum(stars * count) from unnest(r.stars) with ordinality as s (count, stars)), 0)::int as "ratingSum",
      coalesce((select sum(count) from unnest(r.stars) as count), 0)::int as "ratingCount",
      coalesce(r.fit_small, 0)::int as "fitSmall", coalesce(r.fit_true, 0)::int as "fitTrue",
      coalesce(r.fit_large, 0)::int as "fitLarge",
      (select coalesce(sum(units), 0)::int from daily_sales d
        where d.product_id = p.id and d.day > (select ${since}::date)) as "unitsSold",
      (select bestseller_units from listing_state) as "bestsellerUnits",
      (select count(*)::int from product_saves s where s.product_id = p.id and not s.removed) as saves,
      (select document from size_charts where id = p.document->>'sizeChartId') as "sizeChart",
      (select coalesce(jsonb_object_agg(m.id, jsonb_build_object('x', m.focal_x, 'y', m.focal_y)), '{}')
        from media_uses u
          cross join lateral (select * from media where id = u.media_id and focal_x is not null offset 0) m
        where u.product_id = p.id) as "focalPoints"
    from products p left join review_counts r on r.product_id = p.id
    where p.id = any(${plannedOnceIfFew(ids)}) order by p.id`.execute(db)
  return rows.map((row) => ({ ...row, variants: variants.get(row.id) ?? [] }))
}

/**
 * The variants of products in their order, with their stock. Without statistics, `offset 0` prevents PostgreSQL from
 * joining whole tables.
 */
async function findVariantsForRefresh(db: Database | Tx, productIds: readonly string[]): Promise<RefreshVariant[]> {
  const { rows } = await sql<RefreshVariant>`
    select v.product_id as "productId", v.id, v.sku, v.options, v.price_minor as "priceMinor",
      v.compare_at_minor as "compareAtMinor", v.image_id as "imageId", s.on_hand - s.reserved as inventory,
      s.version as "stockVersion", a.quantity as announced, v.listed_inventory as listed
    from (select * from variants where product_id = any(${plannedOnceIfFew(productIds)}) offset 0) v
      cross join lateral (select * from stock where variant_id = v.id offset 0) s
      left join lateral (select quantity from announced_quantities where variant_id = v.id offset 0) a on true
    order by v.product_id, v.position`.execute(db)
  return rows
}

interface StoredResponses {
  id: string
  slug: string
  item: string
  page: string
}

/**
 * Stores responses. Equal ones keep their revision, as after a sale of reserved goods.
 * @param options.isAwaited whether the caller needs the result, which is empty otherwise
 * @returns the products whose responses are new or differ
 */
export async function saveResponses(
  tx: Tx,
  all: readonly StoredResponses[],
  { isAwaited }: { isAwaited: boolean },
): Promise<Set<string>> {
  if (all.length === 0) return new Set()
  const sent = isAwaited ? sql`` : sql`/* sent with the next */`
  const { rows } = await sql<{ id: string }>`
    insert into product_responses as stored (product_id, slug, item, page)
    select * from unnest(${all.map((each) => each.id)}::text[], ${all.map((each) => each.slug)}::text[],
      ${jsonTexts(all.map((each) => each.item))}, ${jsonTexts(all.map((each) => each.page))})
    on conflict (product_id) do update set slug = excluded.slug, item = excluded.item, page = excluded.page,
      revision = excluded.revision
    where (stored.slug, stored.item, stored.page) is distinct from (excluded.slug, excluded.item, excluded.page)
    returning product_id as id ${sent}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes stored responses that must not be served. */
export async function deleteResponses(tx: Tx, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return
  await sql`delete from product_responses where product_id = any(${productIds})`.execute(tx)
}

/** Records the announced quantities. Their products are locked, so there are no concurrent writers. */
export async function markAnnounced(tx: Tx, variants: readonly { id: string; inventory: number }[]): Promise<void> {
  await sql`
    insert into announced_quantities (variant_id, quantity)
    select * from unnest(${variants.map((each) => each.id)}::text[], ${variants.map((each) => each.inventory)}::int[])
    on conflict (variant_id) do update set quantity = excluded.quantity /* sent with the next */`.execute(tx)
}

/** A replica that refreshes products. */
export interface Refresher {
  /** From `responseFingerprint`. */
  fingerprint: string
  now: Date
}

/**
 * Whether a replica leaves the queue to replicas of another version or public address that started later, because its
 * own responses would be out of date. Only for some minutes, because the replica that started last may end first.
 */
const isLeftToOthers = ({ fingerprint, now }: Refresher) => sql`exists (
  select from response_format where fingerprint <> ${fingerprint} and renew_again_at > ${now}::timestamptz)`

/** @returns whether the responses of any product are out of date, and this replica renews them */
export async function isRefreshDue(db: Database, refresher: Refresher): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from refresh_queue) and not ${isLeftToOthers(refresher)} as due`.execute(db)
  return rows[0]?.due === true
}

interface QueuedProduct {
  productId: string
  /** Whether its pictures in the price projection have the former public address. */
  moved: boolean
}

/**
 * Takes products whose responses are out of date from the queue that all replicas share, at most `limit` rows, and
 * locks them. Products that others have locked stay: an import locks its products for a minute, and others must not
 * wait for it. The lock is that of an update, so that a new review or a new use of a picture need not wait for it.
 */
export async function takeFromRefreshQueue(tx: Tx, limit: number, refresher: Refresher): Promise<QueuedProduct[]> {
  // An array, so that the rows are selected once: a subquery after `in` may be run for every row and take more than the
  // limit. `lateral` prevents a join of all products, and locks a product before its row of the queue, so that rows
  // that stay are not locked.
  const { rows } = await sql<QueuedProduct>`
    with taken as (
      delete from refresh_queue where id = any(array(
        select q.id from refresh_queue q left join lateral (
          select id from products where id = q.product_id for no key update skip locked) p on true
        -- A deleted product has no row to lock.
        where (p.id is not null or (select id from products where id = q.product_id) is null)
          and not ${isLeftToOthers(refresher)}
        order by q.id limit ${limit} for update of q skip locked))
      returning product_id, moved)
    select product_id as "productId", bool_or(moved) as moved from taken group by 1 order by 1`.execute(tx)
  return rows
}

/**
 * Removes products from the queue that will be refreshed now; later changes queue them again. Those with moved pictures
 * stay, because not every refresh writes to the price projection.
 */
export async function dropFromRefreshQueue(tx: Tx, productIds: readonly string[]): Promise<void> {
  await sql`
    delete from refresh_queue where id in (
      select id from refresh_queue where product_id = any(${productIds}) and not moved for update skip locked)
    /* sent with the next */`.execute(tx)
}

export async function queueRefresh(db: Database | Tx, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return
  await sql`insert into refresh_queue (product_id) select unnest(${productIds}::text[])`.execute(db)
}

interface ItemRow {
  id: string
  slug: string
  revision: number
  /** JSON; null when the reader has it. */
  item: string | null
}

/**
 * The list items of these products, and the version that the listings had then.
 * @param known the revision that the reader has of each, 0 for none
 */
export async function findItems(
  db: Database,
  known: readonly { id: string; revision: number }[],
): Promise<{ version: number; rows: ItemRow[] }> {
  const { rows } = await sql<{ version: number } & (ItemRow | { id: null })>`
    select v.version, a.product_id as id, a.slug, a.revision, a.item
    from listing_version v left join (
      select a.product_id, a.slug, a.revision, case when a.revision <> k.revision then a.item end as item
      from unnest(${known.map(({ id }) => id)}::text[], ${known.map(({ revision }) => revision)}::bigint[])
        as k (id, revision)
        cross join lateral (select * from product_responses where product_id = k.id offset 0) a
    ) a on true`.execute(db)
  return { version: rows[0]?.version ?? 0, rows: rows.flatMap((row) => (row.id === null ? [] : [row])) }
}

interface FoundPage {
  page: string
  slug: string
}

export async function findPage(db: Database, slug: string): Promise<FoundPage | undefined> {
  const { rows } = await sql<FoundPage>`
    select a.page, p.slug
    from products p join product_responses a on a.product_id = p.id
    where p.published and (p.slug = ${slug} or p.id = (select product_id from former_slugs where slug = ${slug}))
    order by p.slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

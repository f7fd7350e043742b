import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { rawOf, type RawRow, type StoredProduct } from './raw-product.ts'

/** Stored products in the form in which merchants write them, by id. The caller locks those that it will change. */
export async function findRawProducts(db: Database | Tx, ids: readonly string[]): Promise<StoredProduct[]> {
  const { rows } = await sql<RawRow>`
    select p.id, p.slug, p.title, p.published, p.document, p.price_minor as "priceMinor",
      p.compare_at_minor as "compareAtMinor", p.currency, p.tags, p.position, p.created_at as "createdAt",
      p.publish_at as "publishAt", p.unpublish_at as "unpublishAt", p.version,
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', v.id, 'sku', v.sku, 'options', v.options, 'priceMinor', v.price_minor,
          'compareAtMinor', v.compare_at_minor, 'imageId', v.image_id, 'inventory', s.on_hand - s.reserved
        ) order by v.position), '[]')
        from variants v join stock s on s.variant_id = v.id where v.product_id = p.id) as variants
    from products p where p.id = any(${ids}) order by p.id`.execute(db)
  return rows.map((row) => ({ version: row.version, raw: rawOf(row) }))
}

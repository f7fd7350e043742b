import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { ProductDocument } from '../products/product.ts'

export interface AlertedVariant {
  id: string
  options: Record<string, string>
  priceMinor: number | null
  imageId: string | null
  buyable: boolean
}

export interface PublishedProduct {
  id: string
  slug: string
  title: string
  priceMinor: number
  currency: string
  document: ProductDocument
}

/** A published product by its slug, a former one included. */
export async function findAlertSubject(
  db: Database,
  slug: string,
): Promise<Pick<PublishedProduct, 'id' | 'priceMinor' | 'currency'> | undefined> {
  const { rows } = await sql<Pick<PublishedProduct, 'id' | 'priceMinor' | 'currency'>>`
    select id, price_minor as "priceMinor", currency from products
    where published and (slug = ${slug} or id = (select product_id from former_slugs where slug = ${slug}))
    order by slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

export async function findPublishedProduct(tx: Tx, id: string): Promise<PublishedProduct | undefined> {
  const { rows } = await sql<PublishedProduct>`
    select id, slug, title, price_minor as "priceMinor", currency, document from products
    where id = ${id} and published`.execute(tx)
  return rows[0]
}

export async function findAlertedVariants(db: Database | Tx, productId: string): Promise<AlertedVariant[]> {
  const { rows } = await sql<AlertedVariant>`
    select v.id, v.options, v.price_minor as "priceMinor", v.image_id as "imageId",
      coalesce(s.on_hand > s.reserved, false) as buyable
    from variants v left join stock s on s.variant_id = v.id
    where v.product_id = ${productId} order by v.position`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { ProductFields, VariantFields } from '../products/product-fields.ts'

export interface AlertedVariant extends Pick<VariantFields, 'id' | 'options' | 'priceMinor' | 'imageId'> {
  buyable: boolean
}

export type PublishedProduct = Pick<ProductFields, 'id' | 'slug' | 'title' | 'priceMinor' | 'currency' | 'document'>

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

import { z } from 'zod'
import { Collection, Picture } from '@storefront/contracts'
import { contentTagOf, EtagField } from '../merchant/entity-tags.ts'
import type { StoredCollection } from './collections.queries.ts'

/** A collection in a path below /admin. */
export const CollectionParams = z.object({
  slug: z.string().describe('Slug of a collection, as GET /admin/collections lists it.'),
})

export const CollectionPosition = z.int().describe('Its place among the collections, lowest first.')

export const AdminCollection = Collection.extend({
  image: Picture.nullable().describe('As it was saved; null where shoppers see a placeholder.'),
  position: CollectionPosition,
  productCount: z.int().nonnegative().describe('Products in it, drafts included; `count` is what shoppers find.'),
  etag: EtagField,
  products: z
    .array(z.string())
    .describe('Slugs in the order of the merchant, drafts included; `count` is what shoppers find.'),
}).meta({ id: 'AdminCollection' })

/** A collection in a list, which may be read without its products. */
export const ListedCollection = AdminCollection.partial({ etag: true, products: true }).meta({ id: 'ListedCollection' })

/** The entity tag of a collection with the slugs of its products, in their order. */
export function collectionTag(collection: StoredCollection, products: readonly string[]): string {
  return contentTagOf({ ...collection, products })
}

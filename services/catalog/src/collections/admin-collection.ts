import { z } from 'zod'
import { Collection, Picture } from '@storefront/contracts'

/** A collection as a merchant saved it. */
export const AdminCollection = Collection.extend({
  /** As it is stored: null where shoppers see a placeholder. */
  image: Picture.nullable(),
  position: z.int(),
  /** Slugs in the merchant's order, drafts too; `count` is what shoppers find. */
  products: z.array(z.string()),
}).meta({ id: 'AdminCollection' })

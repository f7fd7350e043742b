import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { newId, Ok, WishlistSaved, type Product } from '@storefront/contracts'
import { z } from 'zod'
import { lockAccount } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { productNotFound, tooManyWishes } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readProductBySlug, readProducts } from './read-products.ts'
import { removeEntries } from './remove-entries.ts'
import { insertEntry, listEntries, listSavedProductIds } from './wishlist.queries.ts'

const MAX_ENTRIES = 200

export function saveProductRoute(app: App, { db, messaging, clock }: IdentityContext): void {
  app.post('/me/wishlist', {
    config: { access: 'customer', errors: ['not_found'] },
    schema: {
      summary: 'Save a product on the wishlist',
      description: 'Saving a product again changes nothing. A wishlist holds up to 200 products.',
      body: z.object({
        product_slug: z.string().min(1).max(200).describe('Slug of a published product, current or former.'),
      }),
      response: { 200: Ok },
    },
    handler: async ({ actor, body }): Promise<{ ok: true }> => {
      const customerId = customerIdOf(actor)
      const savedUnder = body.product_slug
      // Before the transaction, because a database connection must not wait for another service.
      const product = await readProductBySlug(messaging, savedUnder)
      if (!product) throw productNotFound()
      const save = (deleted: readonly string[]) =>
        transaction(db, (tx) => saveProduct(tx, { customerId, product, savedUnder, deleted, at: clock.now() }))
      if (await save([])) return { ok: true }
      // Deleted products are removed only from a full wishlist, because an import can add them again under their ids.
      const { deleted } = await readProducts(messaging, await listSavedProductIds(db, customerId))
      if (!(await save(deleted))) throw tooManyWishes(MAX_ENTRIES)
      return { ok: true }
    },
  })
}

interface Wish {
  customerId: string
  product: Product
  savedUnder: string
  /** Ids of deleted products, to be removed from the wishlist. */
  deleted: readonly string[]
  at: Date
}

/** Saves a product once, however often it is called. @returns false when the wishlist is full */
async function saveProduct(tx: Tx, { customerId, product, savedUnder, deleted, at }: Wish): Promise<boolean> {
  await lockAccount(tx, customerId)
  const entries = await listEntries(tx, customerId)
  if (entries.some((entry) => entry.productId === product.id)) return true
  const removed = entries.filter(({ productId }) => deleted.includes(productId))
  if (entries.length - removed.length >= MAX_ENTRIES) return false
  await removeEntries(tx, removed, at)
  const entry = { id: newId('wishlistEntry'), productId: product.id }
  await insertEntry(tx, customerId, { ...entry, slug: product.slug, savedUnder, savedAt: at })
  await publish(tx, WishlistSaved, { entryId: entry.id, productId: product.id }, at)
  return true
}

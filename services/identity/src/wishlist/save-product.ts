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
import { readProductBySlug } from './read-products.ts'
import { insertEntry, listEntries } from './wishlist.queries.ts'

const MAX_ENTRIES = 200

export function saveProductRoute(app: App, { db, messaging, clock }: IdentityContext): void {
  app.post('/me/wishlist', {
    config: { access: 'customer', errors: ['not_found'] },
    schema: {
      tags: ['Account'],
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
      // Before the transaction: a connection must not wait for another service.
      const product = await readProductBySlug(messaging, savedUnder)
      if (!product) throw productNotFound()
      await transaction(db, (tx) => saveProduct(tx, { customerId, product, savedUnder, at: clock.now() }))
      return { ok: true }
    },
  })
}

/** Saving twice is saving once. @throws HttpError `validation_failed` when the wishlist is full */
async function saveProduct(
  tx: Tx,
  { customerId, product, savedUnder, at }: { customerId: string; product: Product; savedUnder: string; at: Date },
): Promise<void> {
  await lockAccount(tx, customerId)
  const entries = await listEntries(tx, customerId)
  if (entries.some((entry) => entry.productId === product.id)) return
  if (entries.length >= MAX_ENTRIES) throw tooManyWishes(MAX_ENTRIES)
  const entry = { id: newId('wishlistEntry'), productId: product.id }
  await insertEntry(tx, customerId, { ...entry, slug: product.slug, savedUnder, savedAt: at })
  await publish(tx, WishlistSaved, { entryId: entry.id, productId: product.id }, at)
}

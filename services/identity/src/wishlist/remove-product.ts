import { DependencyUnavailable } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { lockAccount } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readProductId } from './read-products.ts'
import { removeEntries } from './remove-entries.ts'
import { listEntries } from './wishlist.queries.ts'

/** Catalog's reply about a slug: the product, no product, or nothing because catalog could not be reached. */
type SlugReply = { productId: string | undefined } | DependencyUnavailable

/**
 * Removes a product from the wishlist, by its current slug or a former one. A product that is not on it gets the same
 * response.
 */
export function removeProductRoute(app: App, { db, messaging, clock }: IdentityContext): void {
  app.delete('/me/wishlist/:slug', {
    config: { access: 'customer' },
    schema: {
      summary: 'Remove a product from the wishlist',
      description: 'A product that is not on the wishlist gets the same response.',
      params: z.object({
        slug: z.string().min(1).max(200).describe('The current slug of the product or a former one.'),
      }),
      response: { 200: Ok },
    },
    handler: async ({ actor, params: { slug } }): Promise<{ ok: true }> => {
      const customerId = customerIdOf(actor)
      const reply = await readProductId(messaging, slug).then(
        (productId): SlugReply => ({ productId }),
        (error: unknown): SlugReply => {
          if (error instanceof DependencyUnavailable) return error
          throw error
        },
      )
      await transaction(db, (tx) => removeProduct(tx, { customerId, slug, reply, at: clock.now() }))
      return { ok: true }
    },
  })
}

async function removeProduct(
  tx: Tx,
  { customerId, slug, reply, at }: { customerId: string; slug: string; reply: SlugReply; at: Date },
): Promise<void> {
  await lockAccount(tx, customerId)
  const entries = await listEntries(tx, customerId)
  const isUnavailable = reply instanceof DependencyUnavailable
  // Without catalog's reply, the slug at the time of saving is used.
  const found =
    isUnavailable || reply.productId === undefined
      ? entries.filter((entry) => entry.slug === slug || entry.savedUnder === slug)
      : entries.filter((entry) => entry.productId === reply.productId)
  // The product may be saved under another slug, so success must not be reported.
  if (isUnavailable && found.length === 0 && entries.length > 0) throw reply
  await removeEntries(tx, found, at)
}

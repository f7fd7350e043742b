import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { categoryNotFound, recordChanged } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { IfMatchHeader, matchesContent } from '../merchant/entity-tags.ts'
import { commitTaxonomy, type Invalidation, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { publishCategories } from '../products/bulk-events.ts'
import { incrementVersions, findProductsInBranches, lockProducts } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import {
  deleteCategory,
  findProductsInCategory,
  findCategories,
  lockBranches,
  moveChildren,
  rebuildAncestors,
} from './categories.queries.ts'
import { changeProducts } from '../products/change-products.ts'
import type { CatalogContext } from '../context.ts'

/** Deletes a category: its children move up to its parent, and its products are no longer in it. */
export function deleteCategoryRoute(app: App, context: CatalogContext): void {
  app.delete('/admin/categories/:slug', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete a category; its subcategories move up to its parent',
      description:
        'Its products stay in the shop and in their other categories. With If-Match the reply is 409 `conflict` if the category was ' +
        'changed in the meantime.',
      headers: IfMatchHeader,
      params: z.object({ slug: z.string().describe('Slug of a category at any level.') }),
      response: { 200: Ok },
    },
    handler: async (request, reply) => {
      const { slug } = request.params
      await commitTaxonomy(context, request, reply, (tx, writer) => removeCategory(tx, slug, writer, context))
      return { ok: true as const }
    },
  })
}

async function removeCategory(
  tx: Tx,
  slug: string,
  { actor, ifMatch, now }: TaxonomyWriter,
  context: CatalogContext,
): Promise<Invalidation> {
  const categories = await findCategories(tx)
  const before = categories.find((each) => each.slug === slug)
  if (!before) throw categoryNotFound()
  if (!matchesContent(ifMatch, before)) throw recordChanged('category')
  await lockBranches(tx, [slug])
  const branch = await findProductsInBranches(tx, [slug])
  await lockProducts(tx, branch)
  const productIds = branch.length === 0 ? [] : await findProductsInCategory(tx, slug)
  await changeProducts(
    tx,
    productIds,
    (product) => ({ ...product, categories: product.categories.filter((each) => each !== slug) }),
    now,
  )
  const direct = new Set(productIds)
  await incrementVersions(
    tx,
    branch.filter((id) => !direct.has(id)),
  )
  const hasChildren = categories.some((each) => each.parent === slug)
  const promoted = hasChildren ? await moveChildren(tx, slug, before.parent) : []
  await deleteCategory(tx, slug)
  await rebuildAncestors(tx)
  await publishCategories(tx, [slug, ...promoted], now)
  const subject = { kind: 'category' as const, id: slug }
  await recordChange(tx, { actor, subject, before: { ...before, promoted, products: productIds.length }, at: now })
  const keys = await refreshProducts(tx, branch, { ...context, locked: branch })
  return { keys: [key.categories, ...keys], productIds: branch }
}

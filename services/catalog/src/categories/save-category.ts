import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { CategoryChange, CategoryUpdated, FlatCategory } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { bodyRejected, categoryCycle, recordChanged, unknownParent } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { commitTaxonomy, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { contentTagOf, IfMatchHeader, matchesContent } from '../merchant/entity-tags.ts'
import { storedPicture } from '../merchant/sent-picture.ts'
import { shownPicture } from '../products/product-response.ts'
import { incrementVersions, findProductsInBranches } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import {
  findCategories,
  insertCategory,
  lockBranches,
  rebuildAncestors,
  updateCategory,
  type NewCategory,
  type StoredCategory,
} from './categories.queries.ts'
import { MAX_LEVELS, parentFault } from './category-tree.ts'

export const CategoryPosition = z.int().describe('Its place among its siblings, lowest first.')

export function saveCategoryRoute(app: App, context: CatalogContext): void {
  app.post('/admin/categories', {
    config: { access: { admin: 'catalog:write' }, errors: ['category_cycle', 'conflict', 'unknown_parent'] },
    schema: {
      summary: 'Save a category under its slug; fields left out of an existing one keep their values',
      description:
        'A new category needs a `name` and comes last among its siblings unless it has a `position`. ' +
        'Products below it follow it to another parent. With If-Match the reply is 409 `conflict` if the category was changed ' +
        'in the meantime.',
      headers: IfMatchHeader,
      body: CategoryChange,
      response: { 200: FlatCategory.extend({ position: CategoryPosition }).meta({ id: 'SavedCategory' }) },
    },
    handler: async (request, reply) => {
      const { category } = await commitTaxonomy(context, request, reply, (tx, writer) =>
        saveCategory(tx, request.body, writer, context),
      )
      reply.header('etag', contentTagOf(category))
      const count = await context.lists.read(({ index }) =>
        Promise.resolve(index().listings.itemsWith(term.category(category.slug)).size),
      )
      return { ...category, count, image: shownPicture(category.image, category.name, context.publicUrl) }
    },
  })
}

async function saveCategory(
  tx: Tx,
  change: CategoryChange,
  writer: TaxonomyWriter,
  context: CatalogContext,
): Promise<{ category: StoredCategory; keys: string[]; productIds?: string[] }> {
  const categories = await findCategories(tx)
  const before = categories.find((each) => each.slug === change.slug)
  if (!matchesContent(writer.ifMatch, before)) throw recordChanged('category')
  const wanted = wantedCategory(before, change, context.publicUrl)
  // A category that is not moved may be deeper than the limit, which imports of an older version did not check.
  if (!before || wanted.parent !== before.parent) assertParent(categories, wanted)
  if (!before) {
    const category = await insertCategory(tx, wanted)
    await rebuildAncestors(tx)
    await publishChange(tx, { before, category }, writer)
    return { category, keys: [key.categories] }
  }
  const category = { ...wanted, position: wanted.position ?? before.position }
  // Saving the same values again publishes no event.
  if (isDeepStrictEqual(category, before)) return { category, keys: [] }
  await updateCategory(tx, category)
  if (category.parent !== before.parent) await rebuildAncestors(tx)
  await publishChange(tx, { before, category }, writer)
  const { keys, moved } = await refreshBranch(tx, before, category, context)
  return { category, keys: [key.categories, ...keys], productIds: moved }
}

function wantedCategory(before: StoredCategory | undefined, change: CategoryChange, publicUrl: string): NewCategory {
  const name = change.name ?? before?.name
  if (name === undefined) throw bodyRejected([{ path: 'name', message: 'must be given for a new category' }])
  return {
    slug: change.slug,
    name,
    parent: change.parent === undefined ? (before?.parent ?? null) : change.parent,
    blurb: change.blurb ?? before?.blurb ?? '',
    image: storedPicture(change.image, { before: before?.image, publicUrl }),
    position: change.position,
  }
}

function assertParent(categories: readonly StoredCategory[], { slug, parent }: NewCategory): void {
  const fault = parentFault(categories, slug, parent)
  if (fault === 'unknown parent') throw unknownParent(parent)
  if (fault === 'cycle') throw categoryCycle()
  if (fault === 'too deep') {
    throw bodyRejected([{ path: 'parent', message: `must not make the tree deeper than ${MAX_LEVELS} levels` }])
  }
}

async function publishChange(
  tx: Tx,
  { before, category }: { before: StoredCategory | undefined; category: StoredCategory },
  { actor, now }: TaxonomyWriter,
): Promise<void> {
  await publish(tx, CategoryUpdated, { slug: category.slug }, now)
  const subject = { kind: 'category' as const, id: category.slug }
  await recordChange(tx, { actor, subject, ...(before && { before }), after: category, at: now })
}

/** Products in the branch depend on their ancestors: for lists, for the search and for discounts. */
async function refreshBranch(
  tx: Tx,
  before: StoredCategory,
  { slug, name, parent }: StoredCategory,
  context: CatalogContext,
): Promise<{ keys: string[]; moved: string[] }> {
  if (name === before.name && parent === before.parent) return { keys: [], moved: [] }
  await lockBranches(tx, [slug])
  const branch = await findProductsInBranches(tx, [slug])
  const moved = parent === before.parent ? [] : branch
  await incrementVersions(tx, moved)
  return { keys: await refreshProducts(tx, branch, { ...context, locked: moved }), moved }
}

import { z } from 'zod'
import { isFlagSet, sendPublicJson, type App } from '@storefront/http'
import { Category, listOf, type FlatCategory } from '@storefront/contracts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { key } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { shownPicture } from '../products/product-response.ts'
import { findCategories } from './categories.queries.ts'
import { treeOf } from './category-tree.ts'

export function listCategoriesRoute(app: App, context: { lists: LiveIndex; publicUrl: string }): void {
  app.get('/categories', {
    config: { access: 'public' },
    schema: {
      summary: 'The categories, as a tree or flat',
      description: 'All categories in one reply; `total` counts every one of them in either form.',
      querystring: z.object({
        tree: z
          .enum(['0', '1', 'true', 'false'])
          .default('1')
          .describe('`0` or `false` lists all categories flat; otherwise `children` stand within their parents.'),
      }),
      response: { 200: listOf(Category) },
    },
    handler: async ({ query }, reply) => {
      const flat = await context.lists.read((moment) => categoriesResponse(moment, context.publicUrl))
      const asTree = isFlagSet(query.tree)
      const items = asTree ? treeOf(flat) : flat
      return sendPublicJson(reply, JSON.stringify({ items, total: flat.length }), [key.categories])
    },
  })
}

/**
 * All categories for clients: each with a picture at an absolute address, and the number of published products in its
 * branch, each counted once.
 */
export async function categoriesResponse(moment: Moment, publicUrl: string): Promise<FlatCategory[]> {
  const rows = await findCategories(moment.db)
  const { listings } = moment.index()
  return rows.map(({ image, position: _position, ...row }) => ({
    ...row,
    count: listings.itemsWith(term.category(row.slug)).size,
    image: shownPicture(image, row.name, publicUrl),
  }))
}

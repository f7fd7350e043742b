import { z } from 'zod'
import type { App } from '@storefront/http'
import { FlatCategory, listOf, Picture } from '@storefront/contracts'
import type { LiveIndex } from '../listings/live-index.ts'
import { term } from '../listings/terms.ts'
import { countDraftsOfBranches, findCategories } from './categories.queries.ts'
import { contentTagOf, EtagField } from '../merchant/entity-tags.ts'
import { CategoryPosition } from './save-category.ts'

const AdminCategory = FlatCategory.extend({
  image: Picture.nullable().describe('As it was saved; null where shoppers see a placeholder.'),
  position: CategoryPosition,
  etag: EtagField,
  productCount: z.int().describe('Products in it or below it, drafts included; `count` is what shoppers find.'),
}).meta({ id: 'AdminCategory' })

export function listAdminCategoriesRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/admin/categories', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The categories as merchants saved them, flat, in their order',
      description: 'All categories, each with its `parent`; pictures as they were saved, without placeholders.',
      response: { 200: listOf(AdminCategory) },
    },
    handler: async () =>
      lists.read(async ({ db, index }) => {
        const rows = await findCategories(db)
        const drafts = await countDraftsOfBranches(db)
        const { listings } = index()
        const items = rows.map((row) => {
          const count = listings.itemsWith(term.category(row.slug)).size
          return { ...row, etag: contentTagOf(row), count, productCount: count + (drafts.get(row.slug) ?? 0) }
        })
        return { items, total: items.length }
      }),
  })
}

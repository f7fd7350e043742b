import { sendPublicJson, type App } from '@storefront/chassis'
import { Collection, listOf } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { absoluteUrl } from '../products/product-answer.ts'
import { findCollections } from './collections.queries.ts'

export function listCollectionsRoute(app: App, context: { db: Database; publicUrl: string }): void {
  app.get(
    '/collections',
    {
      config: { access: 'public' },
      schema: { tags: ['Catalogue'], summary: 'The collections', response: { 200: listOf(Collection) } },
    },
    async (_request, reply) => {
      const items = await collectionsAnswer(context.db, context.publicUrl)
      return sendPublicJson(reply, JSON.stringify({ items, total: items.length }), ['collections'])
    },
  )
}

/** All collections as clients get them: with a picture each, at an absolute address. */
export async function collectionsAnswer(db: Database | Tx, publicUrl: string): Promise<Collection[]> {
  const rows = await findCollections(db)
  return rows.map(({ image, ...row }) => ({
    ...row,
    image: { url: absoluteUrl(image?.url ?? '/media/placeholder.svg', publicUrl), alt: image?.alt ?? row.title },
  }))
}

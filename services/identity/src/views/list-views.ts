import type { App } from '@storefront/http'
import { listOf, SavedView } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { Screen, shownView } from './saved-view.ts'
import { listViews } from './views.queries.ts'

export function listViewsRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/views', {
    config: { access: 'admin-user' },
    schema: {
      summary: 'Your saved views of a screen, by name',
      description: 'Lists of the console with their filters. Every admin user has views of their own.',
      querystring: z.object({ screen: Screen.describe('The list that the views belong to.') }),
      response: { 200: listOf(SavedView) },
    },
    handler: async ({ actor, query }) => {
      const items = (await listViews(db, adminPersonOf(actor).userId, query.screen)).map(shownView)
      return { items, total: items.length }
    },
  })
}

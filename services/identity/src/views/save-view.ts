import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { newId, SavedView } from '@storefront/contracts'
import { z } from 'zod'
import { oneLine } from '../accounts/account.ts'
import { lockAdmin } from '../admins/admins.queries.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { IdentityContext } from '../context.ts'
import { accountGone, tooManyViews, viewNameTaken } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { MAX_VIEWS, Screen, shownView } from './saved-view.ts'
import { insertView, listViews } from './views.queries.ts'

const NewView = z
  .object({
    screen: Screen.describe('The list of the console that the view belongs to.'),
    name: oneLine(100).min(1).describe('Unique among your views of this screen, ignoring case.'),
    query: z.string().max(2000).describe('The search string of the address bar; it is stored unchanged.'),
  })
  .meta({ id: 'NewSavedView' })

export function saveViewRoute(app: App, { db, clock, verifyActor }: IdentityContext): void {
  app.post('/admin/views', {
    config: { access: 'admin-user', errors: ['conflict'] },
    schema: {
      summary: 'Save a view of a screen',
      description: `For you alone. A user has up to ${MAX_VIEWS} views of each screen. A name that is taken is 409 \`conflict\`.`,
      body: NewView,
      response: { 200: SavedView },
    },
    handler: async (request) => {
      const { userId } = adminPersonOf(request.actor)
      const { screen, name, query } = request.body
      const origin = originOf(request, verifyActor)
      const at = clock.now()
      const key = { admin_user_id: userId, screen, name_key: name.toLowerCase() }
      const view = { ...key, id: newId('savedView'), name, query, created_at: at }
      await transaction(db, async (tx) => {
        // Locked, so that two concurrent requests cannot exceed the limit or use the same name.
        if (!(await lockAdmin(tx, userId))) throw accountGone()
        const others = await listViews(tx, userId, screen)
        if (others.some((other) => other.name_key === view.name_key)) throw viewNameTaken(name)
        if (others.length >= MAX_VIEWS) throw tooManyViews(MAX_VIEWS)
        await insertView(tx, view)
        await recordAudit(tx, { action: 'save_view', actor: userId, subject: view.id, fields: [screen], origin, at })
      })
      return shownView(view)
    },
  })
}

import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { importEnded } from '../errors.ts'
import { findJob, finishJob } from './jobs.queries.ts'
import { ImportParams } from './job-response.ts'

export function cancelImportRoute(app: App, { db, clock }: CatalogContext): void {
  app.delete('/admin/import/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Cancel an import; it leaves nothing behind',
      description:
        'Works until the import is committed; an import that is done or has failed is 409 `conflict`. Repeating the request ' +
        'gets the same reply.',
      params: ImportParams,
      response: { 200: Ok },
    },
    handler: async ({ params, actor }) => {
      const cancelled = await transaction(db, async (tx) => {
        // If the import is about to commit, this waits for the commit and then does not cancel it.
        const isCancelled = await finishJob(tx, params.id, { status: 'cancelled' }, clock.now())
        const subject = { kind: 'import' as const, id: params.id }
        if (isCancelled) await recordAction(tx, { actor, action: 'delete', subject, at: clock.now() })
        return isCancelled
      })
      const { status } = await findJob(db, params.id)
      if (!cancelled && status !== 'cancelled') throw importEnded(status)
      return { ok: true as const }
    },
  })
}

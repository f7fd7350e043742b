import type { App } from '@storefront/http'
import { ImportJob } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { ImportParams, jobResponse } from './job-response.ts'
import { findJob } from './jobs.queries.ts'

export function getImportRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/import/:id', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'The progress and result of an import',
      description: 'Poll it until `status` is `done`, `failed` or `cancelled`. The record is kept for thirty days.',
      params: ImportParams,
      response: { 200: ImportJob },
    },
    handler: async ({ params }) => jobResponse(await findJob(db, params.id)),
  })
}

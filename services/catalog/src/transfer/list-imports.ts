import { z } from 'zod'
import { latestFirstFields, latestFirstPage, latestFirstParameters, offsetOf, type App } from '@storefront/http'
import { ImportJob, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { jobResponse } from './job-response.ts'
import { countJobs, findJobs } from './jobs.queries.ts'

export function listImportsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/imports', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The imports of the last thirty days, latest first',
      description: 'Running, finished, failed and canceled imports, and dry runs.',
      querystring: z.object(latestFirstParameters()),
      response: { 200: listOf(ImportJob).extend(latestFirstFields) },
    },
    handler: async ({ query }) => {
      const total = await countJobs(db)
      const found = await findJobs(db, {
        limit: query.per_page + 1,
        offset: offsetOf(query, query.before_id),
        before: query.before_id,
      })
      const page = latestFirstPage(found, query)
      return { ...page, items: page.items.map(jobResponse), total }
    },
  })
}

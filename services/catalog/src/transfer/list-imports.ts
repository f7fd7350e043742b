import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { clampedInteger, ImportJob, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { jobAnswer } from './job-answer.ts'
import { countJobs, findJobs } from './jobs.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

const ListQuery = z.object({
  /** The last id of the page before. */
  before_id: z.string().max(200).optional(),
  per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
})

/** The imports of the last thirty days, the latest first. */
export function listImportsRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/admin/imports',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'The imports of the last thirty days, the latest first',
        querystring: ListQuery,
        response: {
          200: listOf(ImportJob).extend({ perPage: z.int(), nextBeforeId: z.string().optional() }),
        },
      },
    },
    async ({ query }) => {
      const total = await countJobs(db)
      const found = await findJobs(db, query.per_page + 1, query.before_id)
      const items = found.slice(0, query.per_page).map(jobAnswer)
      const last = items.at(-1)
      const goesOn = found.length > items.length && last
      return { items, total, perPage: query.per_page, ...(goesOn && { nextBeforeId: last.id }) }
    },
  )
}

import { z } from 'zod'
import { Timestamp } from './common.ts'

/** A list of the console with its filters, under a name that an admin user gave it. */
export const SavedView = z
  .object({
    id: z.string().describe('Identifies the view in `/admin/views/{id}`.'),
    screen: z
      .enum(['orders', 'products', 'customers', 'stock', 'discounts'])
      .describe('The list of the console that the view belongs to.'),
    name: z.string().describe('Unique among the views of one user and screen, ignoring case.'),
    query: z.string().describe('The search string of the address bar, such as `?status=paid&sort=oldest`, unchanged.'),
    createdAt: Timestamp.describe('When it was saved, ISO 8601 UTC.'),
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.output<typeof SavedView>

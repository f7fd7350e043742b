import { z } from 'zod'
import { sendRequest } from '@storefront/messaging'
import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { CurrencyCode, ReadPrices, SalesSummary, type SalesPeriod } from '@storefront/contracts'
import { isGiven, notTheInput } from '../admin/order-filter.ts'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { applyAllSalesChanges } from './apply-sales-changes.ts'
import { dayOf, MAX_DAYS, partsOf, periodOf, previousOf } from './period.ts'
import { findDays, findTopProducts } from './sales.queries.ts'
import { summaryOf } from './summary.ts'

const TOP_PRODUCTS = 10
/** Earlier than any shop of ours, and far from the first day that PostgreSQL and JavaScript can name. */
const FIRST_DAY = '2000-01-01'
/** Far from the last day that has a year of four digits. */
const LAST_DAY = '2999-12-31'

const notADay = {
  error: ({ input }: { input?: unknown }) => `must be a date such as 2026-11-21, ${notTheInput(input)}`,
}
const Day = z
  .union([z.literal(''), z.iso.date({ ...notADay, abort: true })], notADay)
  .refine((day) => day === '' || day >= FIRST_DAY, {
    error: ({ input }) => `must be ${FIRST_DAY} or later, ${notTheInput(input)}`,
  })
  .refine((day) => day <= LAST_DAY, {
    error: ({ input }) => `must be ${LAST_DAY} or earlier, ${notTheInput(input)}`,
  })
  .optional()

const Query = z.object({
  from: Day.describe('First day of the period, in UTC; twenty-nine days before `to` if omitted.'),
  to: Day.describe(`Last day of the period, in UTC; today if omitted. A period has ${MAX_DAYS} days at most.`),
  currency: z
    .union([z.literal(''), CurrencyCode])
    .optional()
    .describe('Currency of the figures; the one that the shop sells in if omitted. Nothing is converted.'),
})

export function getSummaryRoute(app: App, { db, clock, messaging }: OrdersContext): void {
  app.get('/admin/summary', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      summary: 'Figures of a period, and of as many days before it',
      description:
        'An order counts on the day on which it was paid, a refund on the day on which it was made, a checkout on the ' +
        'day on which it was begun; days are those of UTC. The figures include every change that was made before the request.',
      querystring: Query,
      response: { 200: SalesSummary },
    },
    handler: async ({ query }) => {
      const { from, to } = query
      const today = dayOf(clock.now())
      const period = periodOf({ from: isGiven(from) ? from : undefined, to: isGiven(to) ? to : undefined }, today)
      const currency = isGiven(query.currency) ? query.currency : await currencyOfShop({ messaging })
      return readSummary(db, period, currency)
    },
  })
}

async function readSummary(db: Database, period: SalesPeriod, currency: string): Promise<SalesSummary> {
  await applyAllSalesChanges(db)
  const previous = previousOf(period)
  return snapshot(db, async (moment) => {
    const days = await findDays(moment, { from: previous.from, to: period.to })
    const topProducts = await findTopProducts(moment, partsOf(period), { currency, limit: TOP_PRODUCTS })
    return summaryOf({ period, previous, currency, days, topProducts })
  })
}

async function currencyOfShop({ messaging }: Pick<OrdersContext, 'messaging'>): Promise<string> {
  const { settings } = await sendRequest(messaging, ReadPrices, { variantIds: [] })
  return settings.currency
}

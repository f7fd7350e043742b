import { z } from 'zod'
import { CurrencyCode, Money } from '../money.ts'
import { Picture } from './common.ts'

const Day = z.iso.date()
const Count = z.int().nonnegative()

export const SalesPeriod = z
  .object({
    from: Day.describe('Its first day, in UTC, such as 2026-11-01.'),
    to: Day.describe('Its last day, which belongs to it.'),
  })
  .meta({ id: 'SalesPeriod' })
export type SalesPeriod = z.output<typeof SalesPeriod>

/** The figures of a period. */
export const SalesTotals = z
  .object({
    revenue: Money.describe('What buyers paid in the period, including shipping and tax, before refunds.'),
    refunded: Money.describe('What was refunded in the period, of orders of any time.'),
    orders: Count.describe('Orders that were paid in the period; one that was canceled later still counts.'),
    units: Count.describe('Units in these orders.'),
    averageOrder: Money.describe('`revenue` divided by `orders`, rounded; zero without orders.'),
    checkouts: Count.describe(
      'Checkouts that were begun in the period: carts for which a payment page was opened or an order was placed.',
    ),
    conversion: z
      .number()
      .nonnegative()
      .nullable()
      .describe('The share of these checkouts that is paid by now, such as 0.85; null if there were none.'),
  })
  .meta({ id: 'SalesTotals' })
export type SalesTotals = z.output<typeof SalesTotals>

export const SalesDay = z
  .object({
    date: Day.describe('The day, in UTC.'),
    revenue: Money.describe('What buyers paid on this day.'),
    orders: Count.describe('Orders that were paid on this day.'),
    units: Count.describe('Units in these orders.'),
  })
  .meta({ id: 'SalesDay' })
export type SalesDay = z.output<typeof SalesDay>

export const TopProduct = z
  .object({
    productId: z.string().optional().describe('Left out for orders of older versions, whose lines have only the slug.'),
    slug: z.string().describe('The slug when it was sold last.'),
    title: z.string().describe('The title when it was sold last.'),
    image: Picture.optional().describe('The picture in the order in which it was sold last.'),
    units: Count.describe('Units in the orders that were paid in the period.'),
    revenue: Money.describe('Sum of their lines, before discounts, shipping and tax that is added.'),
  })
  .meta({ id: 'TopProduct' })
export type TopProduct = z.output<typeof TopProduct>

/** Figures of a period beside those of the period before, in one currency. */
export const SalesSummary = z
  .object({
    period: SalesPeriod.describe('The requested period.'),
    previous: SalesPeriod.describe('As many days directly before it.'),
    totals: SalesTotals.describe('Figures of the period.'),
    previousTotals: SalesTotals.describe('Figures of the period before.'),
    days: z.array(SalesDay).describe('Every day of the period, oldest first; a day without sales has zeros.'),
    previousDays: z.array(SalesDay).describe('Every day of the period before, likewise.'),
    topProducts: z.array(TopProduct).describe('The ten products with the highest revenue in the period, at most.'),
    otherCurrencies: z
      .array(CurrencyCode)
      .describe('Other currencies with figures in one of the two periods: request them with `currency`.'),
  })
  .meta({ id: 'SalesSummary' })
export type SalesSummary = z.output<typeof SalesSummary>

/** A number that is counted only so far. */
const CappedCount = z
  .object({
    count: Count.describe('The number, 1000 at most.'),
    more: z.boolean().describe('Whether there are more than that.'),
  })
  .meta({ id: 'CappedCount' })

/** What waits for a merchant in orders. */
export const OrdersAttention = z
  .object({
    ordersToPack: CappedCount.describe('Paid orders that are not sent: the list of orders with `status=paid`.'),
    refundsToSettle: CappedCount.describe(
      'Orders of which money must be refunded: the list of orders with `attention=refund_due`.',
    ),
    reconciliationFindings: CappedCount.describe('Findings of the last reconciliation.'),
  })
  .meta({ id: 'OrdersAttention' })
export type OrdersAttention = z.output<typeof OrdersAttention>

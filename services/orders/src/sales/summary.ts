import {
  portionOf,
  type SalesDay,
  type SalesPeriod,
  type SalesSummary,
  type SalesTotals,
  type TopProduct,
} from '@storefront/contracts'
import { daysOf } from './period.ts'
import type { DayFigures, ProductFigures } from './sales.queries.ts'

interface Found {
  period: SalesPeriod
  previous: SalesPeriod
  currency: string
  /** Of both periods, in all currencies. */
  days: readonly DayFigures[]
  topProducts: readonly ProductFigures[]
}

export function summaryOf({ period, previous, currency, days, topProducts }: Found): SalesSummary {
  const shown = days.filter((each) => each.currency === currency)
  const within = ({ from, to }: SalesPeriod) => shown.filter(({ day }) => day >= from && day <= to)
  const current = within(period)
  const before = within(previous)
  return {
    period,
    previous,
    totals: totalsOf(current, currency),
    previousTotals: totalsOf(before, currency),
    days: everyDay(period, current, currency),
    previousDays: everyDay(previous, before, currency),
    topProducts: topProducts.map((each) => topProduct(each, currency)),
    otherCurrencies: [...new Set(days.map((each) => each.currency))].filter((each) => each !== currency).toSorted(),
  }
}

function totalsOf(days: readonly DayFigures[], currency: string): SalesTotals {
  const sum = (of: (day: DayFigures) => number) => days.reduce((total, day) => total + of(day), 0)
  const money = (amount: number) => ({ amount, currency })
  const revenue = sum(({ revenueMinor }) => revenueMinor)
  const orders = sum((day) => day.orders)
  const checkouts = sum((day) => day.checkouts)
  return {
    revenue: money(revenue),
    refunded: money(sum(({ refundedMinor }) => refundedMinor)),
    orders,
    units: sum((day) => day.units),
    averageOrder: money(orders === 0 ? 0 : portionOf(revenue, 1, orders)),
    checkouts,
    conversion: checkouts === 0 ? null : sum(({ checkoutsPaid }) => checkoutsPaid) / checkouts,
  }
}

/** The days without figures as well. */
function everyDay(period: SalesPeriod, days: readonly DayFigures[], currency: string): SalesDay[] {
  const known = new Map(days.map((each) => [each.day, each]))
  return daysOf(period).map((date) => {
    const { revenueMinor = 0, orders = 0, units = 0 } = known.get(date) ?? {}
    return { date, revenue: { amount: revenueMinor, currency }, orders, units }
  })
}

function topProduct({ productId, image, revenueMinor, ...shown }: ProductFigures, currency: string): TopProduct {
  return {
    ...(productId === null ? {} : { productId }),
    ...shown,
    ...(image === null ? {} : { image }),
    revenue: { amount: revenueMinor, currency },
  }
}

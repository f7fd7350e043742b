import { DAY_MS } from '@storefront/service'
import type { SalesPeriod } from '@storefront/contracts'
import { periodEndsBeforeItBegins, periodTooLong } from '../errors.ts'

const DEFAULT_DAYS = 30
/** Two years, one of which is a leap year. */
export const MAX_DAYS = 731

/** Days from the first on, up to the day before the second; none when they are the same. */
export interface DayRange {
  from: string
  before: string
}

/**
 * The requested period; by default thirty days that end with `to`, or today.
 * @param today in UTC, such as `2026-11-21`, like all days here
 * @throws HttpError `validation_failed` when it ends before it begins, or is longer than two years
 */
export function periodOf(query: { from: string | undefined; to: string | undefined }, today: string): SalesPeriod {
  const to = query.to ?? today
  const from = query.from ?? shifted(to, 1 - DEFAULT_DAYS)
  if (to < from) throw periodEndsBeforeItBegins({ from, to })
  const length = lengthOf({ from, to })
  if (length > MAX_DAYS) throw periodTooLong(length, MAX_DAYS)
  return { from, to }
}

/** The period of the same length directly before this one. */
export function previousOf(period: SalesPeriod): SalesPeriod {
  const { from } = period
  return { from: shifted(from, -lengthOf(period)), to: shifted(from, -1) }
}

export function daysOf(period: SalesPeriod): string[] {
  return Array.from({ length: lengthOf(period) }, (_, index) => shifted(period.from, index))
}

/** The whole months of a period, and the days before and after them. Without a whole month, all days are before. */
export function partsOf({ from, to }: SalesPeriod): { head: DayRange; months: DayRange; tail: DayRange } {
  const end = shifted(to, 1)
  const firstMonth = from.endsWith('-01') ? from : nextMonth(from)
  const monthsEnd = monthOf(end)
  if (firstMonth >= monthsEnd) {
    const none = { from: end, before: end }
    return { head: { from, before: end }, months: none, tail: none }
  }
  return {
    head: { from, before: firstMonth },
    months: { from: firstMonth, before: monthsEnd },
    tail: { from: monthsEnd, before: end },
  }
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function shifted(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS))
}

function lengthOf({ from, to }: SalesPeriod): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

function nextMonth(day: string): string {
  // No month has more than 31 days, and the next one has at least 28.
  return monthOf(shifted(monthOf(day), 31))
}

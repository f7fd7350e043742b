import { z } from 'zod'
import { Timestamp } from './common.ts'

const DAY_MS = 24 * 3600 * 1000
/** A Timestamp has no later one. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
/** How many characters of the input an error repeats. */
const SHOWN_CHARACTERS = 50

const MOMENT_FORMS = [z.iso.date(), z.iso.datetime({ offset: true })] as const

/**
 * A time as programs and people write it: a timestamp with any offset and fraction, or a date, which means the
 * beginning of that day in UTC. Read as a Timestamp.
 */
export const Moment = momentWith({ dateShiftMs: 0 })

/** The same for the end of a period: a date means the end of that day in UTC (docs/contract.md#timestamps). */
export const PeriodEnd = momentWith({ dateShiftMs: DAY_MS })

/** For a moment that PostgreSQL reads from JSON, where it has no year 0. */
export const afterYearZero = (moment: typeof Moment) =>
  moment.refine((at) => at >= '0001', 'must be a date between the years 1 and 9999')

/** What is wrong with a text that is not a moment. */
function notAMoment({ input }: { input?: unknown }): string {
  const expected = 'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z'
  return typeof input === 'string' ? `${expected}, not ${JSON.stringify(input.slice(0, SHOWN_CHARACTERS))}` : expected
}

function momentWith({ dateShiftMs }: { dateShiftMs: number }) {
  return z
    .union(MOMENT_FORMS, { error: notAMoment })
    .transform((text) => new Date(isDate(text) ? Math.min(Date.parse(text) + dateShiftMs, LAST_MS) : Date.parse(text)))
    .refine(isOnTheCalendar, { error: 'must be a date between the years 0 and 9999', abort: true })
    .transform((at) => at.toISOString())
    .pipe(Timestamp)
}

function isDate(text: string): boolean {
  return !text.includes('T')
}

/** An offset may lead out of the years that Timestamp has. */
function isOnTheCalendar(at: Date): boolean {
  const year = at.getUTCFullYear()
  return year >= 0 && year <= 9999
}

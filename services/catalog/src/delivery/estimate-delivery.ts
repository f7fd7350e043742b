import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon'
import type { z } from 'zod'
import {
  countryCodeOf,
  servedCountries,
  type CommerceTerms,
  type DeliveryEstimate,
  type ShippingMethod,
} from '@storefront/contracts'

const DEFAULT_CUTOFF_HOUR = 14
const DEFAULT_WORKING_DAYS = 3
const EXPRESS_WORKING_DAYS = 1
const SATURDAY = 6
/** How far ahead a working day is searched for, because a calendar may consist of holidays. */
const HORIZON_DAYS = 400

interface DeliveryQuery {
  commerce: CommerceTerms
  /** The first method if empty. */
  methodId: string
  /** The first country served if empty. */
  country: string
  now: Date
}

interface TimedEstimate {
  estimate: z.output<typeof DeliveryEstimate>
  /** Until this instant the same request has the same reply. */
  changesAt: Date
}

/**
 * When an order placed now arrives.
 * @returns undefined for a method or country that is not offered, and when no working day is found
 */
export function estimateDelivery({ commerce, methodId, country, now }: DeliveryQuery): TimedEstimate | undefined {
  const methods = commerce.shippingMethods ?? []
  const method = methodId === '' ? methods[0] : methods.find((each) => each.id === methodId)
  const served = servedCountries(commerce)
  const destination = country === '' ? (served[0] ?? '') : countryCodeOf(country)
  if (!method || destination === undefined || (served.length > 0 && !served.includes(destination))) return undefined

  const local = DateTime.fromJSDate(now, { zone: zoneOf(commerce) })
  // Days are counted at noon, which occurs once a day everywhere; some places change their clocks at midnight.
  const today = local.set({ hour: 12, minute: 0, second: 0, millisecond: 0 })
  const holidays = new Set<string | null>(commerce.holidays)
  const cutoffHour = commerce.cutoffHour ?? DEFAULT_CUTOFF_HOUR
  const shipsToday = isWorkingDay(today, holidays) && local.hour < cutoffHour
  const firstDay = shipsToday ? today : today.plus({ days: 1 })
  const shipDay = workingDayFrom(firstDay, 0, holidays)
  if (!shipDay) return undefined
  const arrivalDay = workingDayFrom(shipDay, workingDaysOf(method), holidays)
  if (!arrivalDay) return undefined

  return {
    estimate: {
      method: method.id,
      country: destination,
      arrivesAt: arrivalDay.toJSDate().toISOString(),
      cutoff: `${String(cutoffHour).padStart(2, '0')}:00 ${shipsToday ? 'today' : 'tomorrow'}`,
      shipsToday,
      guaranteed: method.guaranteed === true,
    },
    changesAt: firstInstantOf(shipsToday ? today.set({ hour: cutoffHour }) : shipDay.startOf('day')),
  }
}

/** A merchant may have stored any text; one that is not a time zone counts as none. */
function zoneOf({ timeZone }: CommerceTerms): Zone {
  // Luxon caches zones, but not whether a name is valid, and that check takes longer than everything else here.
  const zone = timeZone === undefined ? undefined : IANAZone.create(timeZone)
  return zone?.isValid === true ? zone : FixedOffsetZone.utcInstance
}

function workingDaysOf(method: ShippingMethod): number {
  return method.workingDays ?? (method.id === 'express' ? EXPRESS_WORKING_DAYS : DEFAULT_WORKING_DAYS)
}

// Not `isWeekend`, which depends on the locale of the machine.
function isWorkingDay(day: DateTime, holidays: ReadonlySet<string | null>): boolean {
  return day.weekday < SATURDAY && !holidays.has(day.toISODate())
}

/** The first working day from `firstDay` on, or the one this many working days later. */
function workingDayFrom(
  firstDay: DateTime,
  workingDaysLater: number,
  holidays: ReadonlySet<string | null>,
): DateTime | undefined {
  let left = workingDaysLater
  for (let days = 0; days < HORIZON_DAYS; days++) {
    const day = firstDay.plus({ days })
    if (!isWorkingDay(day, holidays)) continue
    if (left === 0) return day
    left -= 1
  }
  return undefined
}

/** When clocks are set back a time occurs twice, and luxon does not define which of the two it returns. */
function firstInstantOf(time: DateTime): Date {
  return new Date(Math.min(...time.getPossibleOffsets().map((each) => each.toMillis())))
}

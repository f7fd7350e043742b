import { describe, expect, test } from 'vitest'
import type { CommerceTerms } from '@storefront/contracts'
import { amount } from '@storefront/tools/testing'
import { estimateDelivery } from './estimate-delivery.ts'

const price = { amount: 600, currency: 'USD' }
const STANDARD = { id: 'standard', price }
const EXPRESS = { id: 'express', price }
const SAME_DAY = { id: 'courier', price, workingDays: 0 }

const MONDAY_MORNING = '2026-03-02T09:00:00.000Z'
const FRIDAY_EVENING = '2026-03-06T18:00:00.000Z'
const HOUR_MS = 3_600_000

function estimateFor(
  now: string | Date,
  commerce: Partial<CommerceTerms> = {},
  query: { methodId?: string; country?: string } = {},
) {
  return estimateDelivery({
    commerce: { shippingMethods: [STANDARD, EXPRESS, SAME_DAY], ...commerce },
    methodId: '',
    country: '',
    now: new Date(now),
    ...query,
  })
}

const arrival = (...query: Parameters<typeof estimateFor>) => estimateFor(...query)?.estimate.arrivesAt
const change = (...query: Parameters<typeof estimateFor>) => estimateFor(...query)?.changesAt.toISOString()

/** Dates on a wall calendar of that place, computed independently of the code under test. */
function localDatesIn(timeZone: string): (instant: string | Date) => string {
  // Created once, because creating a format takes far longer than using it.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone })
  return (instant) => format.format(new Date(instant))
}

const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

describe('the requested method and country', () => {
  test('are the first method and the first country served by default', () => {
    expect(estimateFor(MONDAY_MORNING, { countries: ['de', { code: 'AT' }] })?.estimate).toEqual({
      method: 'standard',
      country: 'DE',
      arrivesAt: '2026-03-05T12:00:00.000Z',
      cutoff: '14:00 today',
      shipsToday: true,
      guaranteed: false,
    })
  })

  test('are found whatever the case of the country', () => {
    const found = estimateFor(
      MONDAY_MORNING,
      { countries: ['DE', { code: 'at' }] },
      { methodId: 'express', country: 'aT' },
    )
    expect(found?.estimate).toMatchObject({ method: 'express', country: 'AT', arrivesAt: '2026-03-03T12:00:00.000Z' })
  })

  test('have no estimate for an unknown method, a country not served or a shop without methods', () => {
    expect(estimateFor(MONDAY_MORNING, {}, { methodId: 'drone' })).toBeUndefined()
    expect(estimateFor(MONDAY_MORNING, {}, { methodId: 'Express' })).toBeUndefined()
    expect(estimateFor(MONDAY_MORNING, { countries: ['DE'] }, { country: 'FR' })).toBeUndefined()
    expect(estimateFor(MONDAY_MORNING, { shippingMethods: [] })).toBeUndefined()
    expect(estimateDelivery({ commerce: {}, methodId: '', country: '', now: new Date(0) })).toBeUndefined()
  })

  test('may be any country when none is configured', () => {
    expect(estimateFor(MONDAY_MORNING)?.estimate.country).toBe('')
    expect(estimateFor(MONDAY_MORNING, { countries: [] }, { country: ' nz ' })?.estimate.country).toBe('NZ')
    // A checkout would reject these.
    for (const country of ['Atlantis', 'ZZ', 'ß']) {
      expect(estimateFor(MONDAY_MORNING, { countries: [] }, { country }), country).toBeUndefined()
    }
  })

  test('are guaranteed only where the merchant configured it', () => {
    const promise = (guaranteed: unknown) =>
      estimateFor(MONDAY_MORNING, { shippingMethods: [{ ...STANDARD, guaranteed }] })?.estimate.guaranteed
    expect([true, false, 'yes', 1, undefined].map(promise)).toEqual([true, false, false, false, false])
  })
})

describe('the cutoff', () => {
  test('separates orders of today from those of tomorrow, to the millisecond', () => {
    const before = estimateFor('2026-03-02T13:59:59.999Z')
    expect(before?.estimate).toMatchObject({ shipsToday: true, cutoff: '14:00 today' })
    expect(before?.changesAt.toISOString()).toBe('2026-03-02T14:00:00.000Z')
    const after = estimateFor('2026-03-02T14:00:00.000Z')
    expect(after?.estimate).toMatchObject({
      shipsToday: false,
      cutoff: '14:00 tomorrow',
      arrivesAt: '2026-03-06T12:00:00.000Z',
    })
    expect(after?.changesAt.toISOString()).toBe('2026-03-03T00:00:00.000Z')
  })

  test('is that of tomorrow even on a Saturday, because there are only two texts, and the arrival counts from Monday', () => {
    expect(estimateFor('2026-03-07T08:00:00.000Z')?.estimate).toMatchObject({
      shipsToday: false,
      cutoff: '14:00 tomorrow',
      arrivesAt: '2026-03-12T12:00:00.000Z',
    })
  })

  test('is the hour that the merchant set; with hour 0 nothing ships the same day', () => {
    expect(estimateFor(MONDAY_MORNING, { cutoffHour: 9 })?.estimate).toMatchObject({
      shipsToday: false,
      cutoff: '09:00 tomorrow',
    })
    expect(estimateFor('2026-03-02T00:00:00.000Z', { cutoffHour: 0 })?.estimate).toMatchObject({
      shipsToday: false,
      cutoff: '00:00 tomorrow',
      arrivesAt: '2026-03-06T12:00:00.000Z',
    })
  })
})

describe('working days', () => {
  test('are the method’s own, one for express and three for everything else', () => {
    const days = (method: { id: string; workingDays?: number }) =>
      arrival(MONDAY_MORNING, { shippingMethods: [{ price, ...method }] })
    expect(days({ id: 'standard' })).toBe('2026-03-05T12:00:00.000Z')
    expect(days({ id: 'express' })).toBe('2026-03-03T12:00:00.000Z')
    expect(days({ id: 'express', workingDays: 2 })).toBe('2026-03-04T12:00:00.000Z')
    expect(days({ id: 'courier', workingDays: 0 })).toBe('2026-03-02T12:00:00.000Z')
  })

  test('exclude the weekend, before the shipment and during the delivery', () => {
    expect(arrival('2026-03-05T09:00:00.000Z')).toBe('2026-03-10T12:00:00.000Z')
    expect(arrival(FRIDAY_EVENING)).toBe('2026-03-12T12:00:00.000Z')
    expect(estimateFor('2026-03-07T09:00:00.000Z', {}, { methodId: 'courier' })?.estimate).toMatchObject({
      shipsToday: false,
      arrivesAt: '2026-03-09T12:00:00.000Z',
    })
    // From Friday evening to Monday the reply does not change.
    expect(change(FRIDAY_EVENING)).toBe('2026-03-09T00:00:00.000Z')
  })

  test('exclude holidays, also across the end of a year', () => {
    const holidays = ['2026-12-25', '2027-01-01']
    expect(arrival('2026-12-24T09:00:00.000Z', { holidays })).toBe('2026-12-30T12:00:00.000Z')
    expect(arrival('2026-12-30T20:00:00.000Z', { holidays })).toBe('2027-01-06T12:00:00.000Z')
    expect(estimateFor('2026-12-25T09:00:00.000Z', { holidays })?.estimate.shipsToday).toBe(false)
  })

  test('are not reduced by a holiday that is not a date', () => {
    const holidays = ['', 'Christmas', '03.03.2026', '2026-3-3', '2026-02-30', '9'.repeat(10_000), '\0']
    expect(arrival(MONDAY_MORNING, { holidays })).toBe(arrival(MONDAY_MORNING))
  })

  test('are searched 400 days ahead: if there are not enough, there is no estimate', () => {
    const everyDay = Array.from({ length: 500 }, (_, index) =>
      new Date(Date.parse('2026-03-02') + index * 24 * HOUR_MS).toISOString().slice(0, 10),
    )
    expect(estimateFor(MONDAY_MORNING, { holidays: everyDay })).toBeUndefined()
    const shippingMethods = [{ ...STANDARD, workingDays: Number.MAX_SAFE_INTEGER }]
    expect(estimateFor(MONDAY_MORNING, { shippingMethods })).toBeUndefined()
  })
})

describe('time zones', () => {
  test('ahead of UTC and behind it have their own dates', () => {
    const instant = '2026-03-01T23:30:00.000Z'
    expect(estimateFor(instant, { timeZone: 'Pacific/Auckland' })).toEqual({
      estimate: expect.objectContaining({ shipsToday: true, arrivesAt: '2026-03-04T23:00:00.000Z' }),
      changesAt: new Date('2026-03-02T01:00:00.000Z'),
    })
    expect(estimateFor(instant, { timeZone: 'America/Los_Angeles' })).toEqual({
      estimate: expect.objectContaining({ shipsToday: false, arrivesAt: '2026-03-05T20:00:00.000Z' }),
      changesAt: new Date('2026-03-02T08:00:00.000Z'),
    })
  })

  test('determine which day a holiday is', () => {
    const holidays = ['2026-03-03']
    expect(estimateFor('2026-03-02T15:30:00.000Z', { timeZone: 'Asia/Tokyo', holidays })?.estimate.shipsToday).toBe(
      false,
    )
    expect(estimateFor('2026-03-02T14:30:00.000Z', { timeZone: 'Asia/Tokyo', holidays })?.changesAt).toEqual(
      new Date('2026-03-03T15:00:00.000Z'),
    )
  })

  test('with a clock change on the way still deliver at noon', () => {
    const timeZone = 'America/New_York'
    expect(arrival('2026-03-06T15:00:00.000Z', { timeZone })).toBe('2026-03-11T16:00:00.000Z')
    expect(arrival('2026-10-30T15:00:00.000Z', { timeZone })).toBe('2026-11-04T17:00:00.000Z')
    expect(change('2026-03-06T20:00:00.000Z', { timeZone })).toBe('2026-03-09T04:00:00.000Z')
    expect(change('2026-10-30T20:00:00.000Z', { timeZone })).toBe('2026-11-02T05:00:00.000Z')
  })

  test('that skip or repeat midnight begin a day when its date begins', () => {
    expect(change('2026-04-23T18:00:00.000Z', { timeZone: 'Africa/Cairo' })).toBe('2026-04-23T22:00:00.000Z')
    expect(change('2026-10-29T18:00:00.000Z', { timeZone: 'Africa/Cairo' })).toBe('2026-10-29T22:00:00.000Z')
  })

  test('that repeat the hour of the cutoff use the first one', () => {
    const commerce = { timeZone: 'Africa/Cairo', cutoffHour: 23 }
    expect(change('2026-10-29T18:00:00.000Z', commerce)).toBe('2026-10-29T20:00:00.000Z')
    expect(estimateFor('2026-10-29T21:30:00.000Z', commerce)?.estimate.shipsToday).toBe(false)
  })

  test('that do not exist count as UTC', () => {
    for (const timeZone of ['', 'local', 'system', 'Mars/Olympus', '__proto__', '\0', 'x'.repeat(10_000)]) {
      expect(estimateFor(MONDAY_MORNING, { timeZone }), timeZone.slice(0, 20)).toEqual(estimateFor(MONDAY_MORNING))
    }
  })
})

describe('at any time, in any zone, on any calendar', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Pacific/Kiritimati',
    'Africa/Cairo',
    'Australia/Lord_Howe',
  ]
  // Steps of 31 hours: 168 of them meet every hour of every weekday, over seven months.
  const instants = Array.from(
    { length: amount({ quick: 168, long: 280 }) },
    (_, index) => new Date(Date.parse('2026-02-20') + index * 31 * HOUR_MS + ((index * 17) % 60) * 60_000),
  )
  /** The zones share them. A fifth of them has every hour of the cutoff and every distance of the holiday. */
  const SHARE = amount({ quick: 5, long: 1 })
  const instantsIn = (timeZone: string) =>
    [...instants.entries()].filter(([index]) => index % SHARE === zones.indexOf(timeZone) % SHARE)

  test.each(zones)('an order arrives on a working day and not before it ships: %s', (timeZone) => {
    const localDate = localDatesIn(timeZone)
    for (const [index, now] of instantsIn(timeZone)) {
      const today = localDate(now)
      const holiday = localDate(new Date(now.getTime() + (index % 6) * 24 * HOUR_MS))
      const commerce = { timeZone, cutoffHour: index % 24 }
      const holidays = ['2026-04-03', '2026-04-06']
      const name = `${now.toISOString()} ${timeZone} ${holiday}`

      const shipped = estimateFor(now, { ...commerce, holidays }, { methodId: 'courier' })
      const shipDay = localDate(shipped?.estimate.arrivesAt ?? '')
      expect(shipDay === today, name).toBe(shipped?.estimate.shipsToday)
      expect(shipDay >= today, name).toBe(true)
      for (const methodId of ['courier', 'express', 'standard']) {
        const arrivesAt = arrival(now, { ...commerce, holidays }, { methodId }) ?? ''
        const day = localDate(arrivesAt)
        expect(isWeekend(day) || holidays.includes(day), name).toBe(false)
        expect(day >= shipDay, name).toBe(true)
        const later = arrival(now, { ...commerce, holidays: [...holidays, holiday] }, { methodId }) ?? ''
        expect(later >= arrivesAt, name).toBe(true)
      }
    }
  })

  test.each(zones)('a reply stays valid until its stated time, and not a millisecond longer: %s', (timeZone) => {
    for (const [index, now] of instantsIn(timeZone)) {
      const commerce = { timeZone, cutoffHour: index % 24, holidays: ['2026-04-03', '2026-04-06'] }
      const { estimate, changesAt = now } = estimateFor(now, commerce) ?? {}
      const name = `${now.toISOString()} ${timeZone}`
      expect(changesAt.getTime(), name).toBeGreaterThan(now.getTime())
      expect(estimateFor(new Date(changesAt.getTime() - 1), commerce)?.estimate, name).toEqual(estimate)
      expect(estimateFor(changesAt, commerce)?.estimate, name).not.toEqual(estimate)
    }
  })
})

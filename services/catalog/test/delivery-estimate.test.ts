import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DeliveryEstimate } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { getAsShopper, importCatalogue, startTestCatalog, usd } from './catalog.ts'

const MONDAY_MORNING = '2026-03-02T09:00:00.000Z'
const CUTOFF = '2026-03-02T14:00:00.000Z'

let suite: Suite
let catalog: RunningCatalog
let clock = manualClock(MONDAY_MORNING)

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, {}, { now: () => clock.now() })
})

afterAll(() => suite.stop())

const COMMERCE = {
  shippingMethods: [
    { id: 'standard', label: 'Standard', price: usd(600) },
    { id: 'express', label: 'Express', price: usd(1500), guaranteed: true },
  ],
  countries: ['US', { code: 'ca', name: 'Canada' }],
}

async function save(commerce: Record<string, unknown>) {
  const response = await importCatalogue(catalog.app, suite, { mode: 'replace', settings: { commerce } })
  expect(response.statusCode).toBe(200)
}

const get = (query = '') => getAsShopper(catalog.app, `/delivery-estimate${query}`)

beforeEach(async () => {
  clock = manualClock(MONDAY_MORNING)
  await save(COMMERCE)
})

describe('the delivery estimate', () => {
  test('uses the first method and country unless the client names others', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(DeliveryEstimate.parse(body)).toEqual({
      method: 'standard',
      country: 'US',
      arrivesAt: '2026-03-05T12:00:00.000Z',
      cutoff: '14:00 today',
      shipsToday: true,
      guaranteed: false,
    })
    expect((await get('?method=&country=')).body).toEqual(body)
    expect((await get('?method=express&country=ca')).body).toMatchObject({
      method: 'express',
      country: 'CA',
      arrivesAt: '2026-03-03T12:00:00.000Z',
      guaranteed: true,
    })
  })

  test('serves a country whose code the merchant typed with spaces around it', async () => {
    await save({ ...COMMERCE, countries: [' us ', ['CA ', 'Canada']] })
    const { body } = await get()
    expect(body).toMatchObject({ country: 'US' })
    expect((await get('?country=US')).body).toEqual(body)
    expect((await get('?country=CA')).body).toMatchObject({ country: 'CA' })
    expect((await getAsShopper(catalog.app, '/storefront')).body).toMatchObject({
      commerce: {
        countries: [
          ['US', 'United States'],
          ['CA', 'Canada'],
        ],
      },
    })
  })

  test("follows the merchant's settings: hour, zone and holidays", async () => {
    await save({ ...COMMERCE, cutoffHour: 17, timeZone: 'America/New_York', holidays: ['2026-03-03'] })
    clock = manualClock('2026-03-02T21:59:00.000Z')
    expect((await get()).body).toMatchObject({ cutoff: '17:00 today', arrivesAt: '2026-03-06T17:00:00.000Z' })
    clock.advance(60_000)
    expect((await get()).body).toMatchObject({ cutoff: '17:00 tomorrow', arrivesAt: '2026-03-09T16:00:00.000Z' })
  })

  test('is returned even when the stored zone and holidays are not valid', async () => {
    await suite.sql('update catalog.settings set version = version + 1, document = document || $1::jsonb', [
      JSON.stringify({ commerce: { ...COMMERCE, timeZone: 'Mars/Olympus', holidays: ['soon'] } }),
    ])
    expect((await get()).body).toMatchObject({ arrivesAt: '2026-03-05T12:00:00.000Z' })
  })

  test('is not found for another method or country, and in a shop without shipping methods', async () => {
    for (const query of ['?method=drone', '?country=FR', '?method=express&country=FR', '?country=%F0%9F%98%80']) {
      const { status, body, headers } = await get(query)
      expect(status, query).toBe(404)
      expect(body, query).toMatchObject({
        code: 'not_found',
        message: 'There is no delivery estimate for this country and shipping method.',
      })
      expect(headers['cache-control'], query).toBe('private, no-store')
    }
    await save({ countries: ['US'] })
    expect((await get()).status).toBe(404)
  })

  test('rejects invalid names of methods and countries', async () => {
    for (const query of ['?method=%00', '?country=%00', `?method=${'x'.repeat(101)}`, `?country=${'y'.repeat(5000)}`]) {
      const { status, body } = await get(query)
      expect(status, query).toBe(422)
      expect(body, query).toMatchObject({ code: 'validation_failed' })
    }
    for (const query of ['?method=__proto__', '?country=%FF%FE', '?method=%', '?method=a&method=b&country[]=US']) {
      expect((await get(query)).status, query).toBeLessThan(500)
    }
  })
})

describe('a cached estimate', () => {
  const cacheControl = async (now: string) => {
    clock = manualClock(now)
    return (await get()).headers['cache-control']
  }

  test('is purged with the settings and revalidated by its tag', async () => {
    const { headers } = await get()
    expect(headers['surrogate-key']).toBe('settings')
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers['etag']).toMatch(/^"[\w-]+"$/)
    clock = manualClock(CUTOFF)
    expect((await get()).headers['etag']).not.toBe(headers['etag'])
  })

  test('does not outlive the cutoff', async () => {
    expect(await cacheControl('2026-03-02T13:49:00.000Z')).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(await cacheControl('2026-03-02T13:49:00.001Z')).toBe('public, max-age=60, stale-while-revalidate=599')
    expect(await cacheControl('2026-03-02T13:58:30.000Z')).toBe('public, max-age=60, stale-while-revalidate=30')
    expect(await cacheControl('2026-03-02T13:59:30.500Z')).toBe('public, max-age=29, stale-while-revalidate=0')
    expect(await cacheControl('2026-03-02T13:59:59.900Z')).toBe('public, max-age=1, stale-while-revalidate=0')
    expect(await cacheControl(CUTOFF)).toBe('public, max-age=60, stale-while-revalidate=600')
  })

  test('does not outlive the day in the time zone of the shop', async () => {
    await save({ ...COMMERCE, timeZone: 'Asia/Tokyo' })
    expect(await cacheControl('2026-03-02T14:58:00.000Z')).toBe('public, max-age=60, stale-while-revalidate=60')
    expect(await cacheControl('2026-03-06T14:59:50.000Z')).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(await cacheControl('2026-03-08T14:59:50.000Z')).toBe('public, max-age=10, stale-while-revalidate=0')
  })
})

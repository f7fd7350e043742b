import { describe, expect, test } from 'vitest'
import { iso31662 } from 'iso-3166/2.js'
import { findRegion, hasRegions } from './regions.ts'
import { REGION_ABBREVIATIONS } from './region-abbreviations.ts'

describe('a region is found', () => {
  test.each([
    ['US', 'CA', 'US-CA'],
    ['us', ' us-ca ', 'US-CA'],
    ['US', 'california', 'US-CA'],
    ['US', 'Calif.', 'US-CA'],
    ['US', 'N.Y.', 'US-NY'],
    ['US', 'New York State', 'US-NY'],
    ['US', 'State of Washington', 'US-WA'],
    ['US', 'Washington, D.C.', 'US-DC'],
    ['CA', 'Québec', 'CA-QC'],
    ['CA', 'quebec', 'CA-QC'],
    ['CA', 'B.C.', 'CA-BC'],
    ['CA', 'Province of Ontario', 'CA-ON'],
    ['DE', 'Bayern', 'DE-BY'],
    ['DE', 'Bavaria', 'DE-BY'],
    ['ES', 'Comunidad de Madrid', 'ES-MD'],
    ['GB', 'Cymru', 'GB-WLS'],
    ['IN', 'Orissa', 'IN-OD'],
    ['IT', 'Lombardy', 'IT-25'],
    ['JP', '13', 'JP-13'],
    ['BR', 'Sao Paulo', 'BR-SP'],
  ])('in %s by %s', (country, text, code) => {
    expect(findRegion(country, text).codes).toEqual([code])
  })

  test('together with the regions that it lies in', () => {
    expect(findRegion('ES', 'Las Palmas')).toEqual({ codes: ['ES-GC'], within: ['ES-CN'] })
    // Madrid is the name of the community and of its only province.
    expect(findRegion('ES', 'Madrid').codes).toEqual(['ES-M', 'ES-MD'])
  })

  test('by its code, in every country', () => {
    const lost = iso31662.filter(({ code }) => !findRegion(code.slice(0, 2), code).codes.includes(code))
    expect(lost).toEqual([])
    expect(iso31662.length).toBeGreaterThan(4000)
  })

  test('by each abbreviation of the list', () => {
    for (const [code, abbreviations] of Object.entries(REGION_ABBREVIATIONS)) {
      for (const text of abbreviations) expect([text, findRegion(code.slice(0, 2), text).codes]).toEqual([text, [code]])
    }
  })
})

test('a text that names no region of the country finds none', () => {
  for (const [country, text] of [
    ['US', 'Kalifornia'],
    ['US', ''],
    ['US', ' .-'],
    ['US', 'state'],
    ['DE', 'CA'],
    ['XK', 'Pristina'],
    ['', 'CA'],
    ['US', '__proto__'],
    ['US', 'x'.repeat(10_000)],
  ] as const) {
    expect(findRegion(country, text)).toEqual({ codes: [], within: [] })
  }
})

test('a country has regions only when ISO 3166-2 divides it', () => {
  expect([hasRegions('us'), hasRegions('XK'), hasRegions('')]).toEqual([true, false, false])
})

import { countryName } from './country.ts'

interface Address {
  name: string
  line1: string
  line2: string
  city: string
  region: string
  postalCode: string
  country: string
}

/** Countries where the postal code follows the town. */
const TOWN_FIRST: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'NZ', 'IN', 'GB', 'IE'])

/** An address as it stands on a parcel, without empty lines. */
export function addressLines({ name, line1, line2, city, region, postalCode, country }: Address): string[] {
  const place = TOWN_FIRST.has(country)
    ? [joined([joined([city, region], ', '), postalCode], ' ')]
    : [joined([postalCode, city], ' '), region]
  return [name, line1, line2, ...place, country === '' ? '' : countryName(country)].filter((line) => line !== '')
}

function joined(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part !== '').join(separator)
}

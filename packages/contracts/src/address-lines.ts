// In a separate file, because the apps load it without the schemas.

type Part = 'name' | 'line1' | 'line2' | 'city' | 'region' | 'postalCode' | 'country'

/** Countries in which the postal code follows the town. */
const TOWN_FIRST: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'NZ', 'IN', 'GB', 'IE'])
const COUNTRY_CODE = /^[A-Za-z]{2}$/

/**
 * An address as it stands on a parcel. Without a country code the postal code follows the town.
 * @param countryName returns the name of a country for its code, in the language of the reader
 * @returns its lines, without missing parts
 */
export function addressLines(
  address: { [Name in Part]?: string | null | undefined },
  countryName: (code: string) => string,
): string[] {
  const { name, line1, line2, city, region, postalCode, country } = address
  const isTownFirst = !country || !COUNTRY_CODE.test(country) || TOWN_FIRST.has(country.toUpperCase())
  const place = isTownFirst
    ? [joined([joined([city, region], ', '), postalCode], ' ')]
    : [joined([postalCode, city], ' '), region]
  return [name, line1, line2, ...place, country && countryName(country)].flatMap((line) => (line ? [line] : []))
}

function joined(parts: readonly (string | null | undefined)[], separator: string): string {
  return parts.filter(Boolean).join(separator)
}

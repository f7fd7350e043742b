import type { Address } from '@storefront/contracts'
import { countryName } from './locale.ts'
import { oneLine } from './words.ts'

type Parts = { [Part in keyof Address]?: string | null | undefined }

/** An address line by line, without missing parts. */
export function addressLines(parts: Parts, locale: string): string[] {
  const { name, line1, line2, city, region, postalCode, country } = parts
  const place = [city, [region, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [name, line1, line2, place, country && countryName(country, locale)]
    .map((line) => oneLine(line ?? ''))
    .filter(Boolean)
}

import { addressLines, type Address } from '@storefront/contracts'
import { countryName } from './locale.ts'
import { oneLine } from './words.ts'

type Parts = { [Part in keyof Address]?: string | null | undefined }

/** An address line by line, with the name of its country in a supported locale. */
export function localizedAddress(parts: Parts, locale: string): string[] {
  return addressLines(parts, (code) => countryName(code, locale))
    .map(oneLine)
    .filter(Boolean)
}

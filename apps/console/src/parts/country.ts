import i18next from 'i18next'

/** The name of a country in the language of the person; anything but a country code stays as it is. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(i18next.language, { type: 'region' }).of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/**
 * A browser that was started without a locale says `en-US@posix`, which is not a language tag: the chart library formats
 * numbers in it and could not be loaded.
 */
export function requireValidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
  }
}

const FALLBACK = 'en-US'
/** Looking up a locale and creating its date formatter cost as much as all other work of a mail: both are cached. */
const MAX_KEPT = 200
const usable = new Map<string, boolean>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const countryNames = new Map<string, Intl.DisplayNames>()
const fullLocales = new Map<string, Intl.Locale>()
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/**
 * @returns the first of these locales that this machine supports; an unknown locale must not keep a buyer from a mail
 */
export function usableLocale(...locales: readonly string[]): string {
  return locales.find((locale) => keep(usable, locale, isUsable)) ?? FALLBACK
}

/**
 * A day as it is written in a supported locale, the same on every machine.
 * @param timeZone IANA name; UTC is used for an unknown one
 */
export function formatDay(day: Date, locale: string, timeZone = 'UTC'): string {
  return keep(dateFormats, `${locale} ${timeZone}`, () => dateFormat(locale, timeZone)).format(day)
}

function dateFormat(locale: string, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
  } catch {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  }
}

/** @returns the name of the country in a supported locale; a text that is not a country code is returned unchanged */
export function countryName(code: string, locale: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code
  const make = () => new Intl.DisplayNames(locale, { type: 'region' })
  return keep(countryNames, locale, make).of(code.toUpperCase()) ?? code
}

/** Orders name their locale, so the cache needs a bound. */
function keep<Kept>(known: Map<string, Kept>, key: string, make: (key: string) => Kept): Kept {
  const kept = known.get(key)
  if (kept !== undefined) return kept
  const made = make(key)
  if (known.size >= MAX_KEPT) known.clear()
  known.set(key, made)
  return made
}

function isUsable(locale: string): boolean {
  try {
    return locale !== '' && Intl.NumberFormat.supportedLocalesOf(locale).length === 1
  } catch {
    return false
  }
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(fullLocale(locale).script ?? '') ? 'rtl' : 'ltr'
}

export function isEnglish(locale: string): boolean {
  return fullLocale(locale).language === 'en'
}

function fullLocale(locale: string): Intl.Locale {
  return keep(fullLocales, locale, () => new Intl.Locale(locale).maximize())
}

const FALLBACK = 'en-US'
/** Asking for a locale and making what writes a date in it cost as much as all else of a mail: both are kept. */
const MAX_KEPT = 200
const usable = new Map<string, boolean>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const countryNames = new Map<string, Intl.DisplayNames>()
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** @returns the first of these in which this machine can write; an unknown locale must not keep a buyer from a mail */
export function usableLocale(...locales: readonly string[]): string {
  return locales.find((locale) => keep(usable, locale, isUsable)) ?? FALLBACK
}

/** A day as it is written in a usable locale, the same on every machine. */
export function formatDay(day: Date, locale: string): string {
  const make = () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return keep(dateFormats, locale, make).format(day)
}

/** @returns the country as a usable locale calls it; what is not a country code stays as it is */
export function countryName(code: string, locale: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code
  const make = () => new Intl.DisplayNames(locale, { type: 'region' })
  return keep(countryNames, locale, make).of(code.toUpperCase()) ?? code
}

/** Orders name their locale, so that what is kept of them needs a bound. */
function keep<Kept>(known: Map<string, Kept>, locale: string, make: (locale: string) => Kept): Kept {
  const kept = known.get(locale)
  if (kept !== undefined) return kept
  const made = make(locale)
  if (known.size >= MAX_KEPT) known.clear()
  known.set(locale, made)
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
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr'
}

export function isEnglish(locale: string): boolean {
  return new Intl.Locale(locale).language === 'en'
}

import { minorUnitDigits } from '@storefront/contracts/currency'
import { createInstance, type TFunction } from 'i18next'
import type { Money } from '../shop/catalog.ts'
import type { Texts } from './texts.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts }
    returnNull: false
  }
}

/** How the pages are written: texts, numbers and direction. */
export interface Language {
  /** BCP 47, for the attribute `lang`. */
  tag: string
  direction: 'ltr' | 'rtl'
  t: TFunction
  money: (money: Money) => string
  /** An amount in a currency, in its smallest unit. */
  amount: (amount: number, currency: string) => string
  number: (value: number) => string
  /** Day, month and year, in the time zone of the shop. @param iso ISO 8601 */
  date: (iso: string) => string
  year: (date: Date) => string
  /** Weekday, day and month, in the time zone of the shop. @param iso ISO 8601 */
  day: (iso: string) => string
  /** The name of a country. @param code ISO 3166-1; any other text stays as it is */
  country: (code: string) => string
  /** The sentence for an error of the shop, in this language. */
  error: (error: { code: string; message: string }) => string
}

const DEFAULT_LOCALE = 'en-US'
const DEFAULT_TIME_ZONE = 'UTC'
const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'ur', 'yi'])
/** One folder a language, with a file for each page. */
const CATALOGS = import.meta.glob<object>('./*/*.json', { import: 'default', eager: true })

const translations = createInstance().use({
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  // Numbers within texts have the digits of the language.
  format: (value: unknown, _format?: string, tag?: string) =>
    typeof value === 'number' && tag !== undefined ? languageOf(tag).number(value) : String(value),
})
void translations.init({
  initAsync: false,
  fallbackLng: 'en',
  // Preact escapes texts.
  interpolation: { escapeValue: false, alwaysFormat: true },
  resources: resourcesByLanguage(),
})

function resourcesByLanguage(): Record<string, { translation: Record<string, unknown> }> {
  const found: Record<string, { translation: Record<string, unknown> }> = {}
  for (const [path, texts] of Object.entries(CATALOGS)) {
    const language = path.split('/')[1] ?? ''
    found[language] ??= { translation: {} }
    Object.assign(found[language].translation, texts)
  }
  return found
}

/** By the locale and the time zone as the merchant wrote them: to make one takes longer than to render a page. */
const languages = new Map<string, Language>()

/**
 * @param locale of the shop, BCP 47; one that is not valid counts as English
 * @param timeZone of the shop, an IANA name; one that is not valid counts as UTC
 */
export function languageOf(locale: string | null | undefined, timeZone?: string | null): Language {
  const wanted = locale ?? DEFAULT_LOCALE
  const zone = timeZone ?? DEFAULT_TIME_ZONE
  const key = `${wanted} ${zone}`
  const known = languages.get(key)
  if (known) return known
  const made = makeLanguage(validTag(wanted), validTimeZone(zone))
  languages.set(key, made)
  return made
}

function validTag(locale: string): string {
  try {
    return new Intl.Locale(locale).toString()
  } catch {
    return DEFAULT_LOCALE
  }
}

function validTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(DEFAULT_LOCALE, { timeZone }).resolvedOptions().timeZone
  } catch {
    return DEFAULT_TIME_ZONE
  }
}

function makeLanguage(tag: string, timeZone: string): Language {
  const { language } = new Intl.Locale(tag)
  const t = translations.getFixedT(tag)
  const currencies = new Map<string, Intl.NumberFormat>()
  const numbers = new Intl.NumberFormat(tag)
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone })
  const days = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone })
  const years = new Intl.DateTimeFormat(tag, { year: 'numeric', timeZone })
  const countries = new Intl.DisplayNames([tag, 'en'], { type: 'region' })
  const amount = (value: number, currency: string): string => {
    const digits = minorUnitDigits(currency)
    const format =
      currencies.get(currency) ?? new Intl.NumberFormat(tag, { style: 'currency', currency, ...digitsOf(digits) })
    currencies.set(currency, format)
    return format.format(value / 10 ** digits)
  }
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
    t,
    money: (money) => amount(money.amount, money.currency),
    amount,
    number: (value) => numbers.format(value),
    date: (iso) => dates.format(new Date(iso)),
    year: (date) => years.format(date),
    day: (iso) => days.format(new Date(iso)),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    error({ code, message }) {
      const sentence: unknown = translations.getResource(language, 'translation', `errors.${code}`)
      return typeof sentence === 'string' ? sentence : message
    },
  }
}

function digitsOf(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}

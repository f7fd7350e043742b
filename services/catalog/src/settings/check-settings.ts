import { IANAZone } from 'luxon'
import { z } from 'zod'
import { ProductSort, type CommerceSettings, type StorefrontConfiguration } from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import { currencyOf } from './board-settings.ts'
import { placesOfSecrets } from './misplaced-secrets.ts'

const CHECKOUT_MODES = new Set(['demo', 'api', 'redirect', 'razorpay'])
const PAYMENT_PROVIDERS = new Set(['demo', 'stripe', 'razorpay'])
const RELATED_STRATEGIES = new Set(['automatic', 'same-category', 'best-sellers', 'manual', 'api', 'off'])
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Every visitor is sent the whole document, and every version of it is kept. */
const MAX_BYTES = 512 * 1024
/** Each rail is a list that the first page of every visitor waits for. */
const MAX_HOME_SECTIONS = 100
const MAX_RELATED = 48
/** A checkout names its method in a text of this length. */
const MAX_METHOD_ID_LENGTH = 100
/** A delivery estimate looks some 400 days ahead. */
const MAX_WORKING_DAYS = 200
const MAX_TAX_RATE = 100_000

/** A secret has no such beginning, and every visitor reads the configuration. */
const RAZORPAY_KEY_ID = /^rzp_\w+$/

const SECRET_MESSAGE = 'is a secret, and every visitor reads this document: it belongs into POST /admin/credentials'

const IsoDate = z.iso.date()

/**
 * Every value in a configuration that its schema lets pass and the shop could not live with.
 * @param currencyInUse the currency of the products that are there; undefined when there are none, or when the caller knows
 * that it is the configuration's
 */
export function faultsOfSettings(document: StorefrontConfiguration, currencyInUse: string | undefined): Issue[] {
  const { commerce = {}, home = [], orders, recommendations } = document
  return [
    ...when(Buffer.byteLength(JSON.stringify(document)) > MAX_BYTES, '', `must not exceed ${MAX_BYTES} bytes in all`),
    ...placesOfSecrets(document).map((place) => ({ path: place.join('.'), message: SECRET_MESSAGE })),
    ...faultsOfPricing(document, currencyInUse),
    ...faultsOfDelivery(commerce),
    ...faultsOfShipping(commerce, currencyOf({ version: 0, document })),
    ...faultsOfTax(commerce),
    ...faultsOfCheckout(document),
    ...when(/\s/.test(orders?.numberPrefix ?? ''), 'orders.numberPrefix', 'must not contain spaces'),
    ...when(
      recommendations?.strategy !== undefined && !RELATED_STRATEGIES.has(recommendations.strategy),
      'recommendations.strategy',
      `must be one of ${[...RELATED_STRATEGIES].join(', ')}`,
    ),
    ...when(
      recommendations?.limit !== undefined && (recommendations.limit < 1 || recommendations.limit > MAX_RELATED),
      'recommendations.limit',
      `must be from 1 to ${MAX_RELATED}`,
    ),
    ...when(home.length > MAX_HOME_SECTIONS, 'home', `must not hold more than ${MAX_HOME_SECTIONS} sections`),
    ...home.flatMap(({ source }, index) =>
      when(
        source?.sort !== undefined && !ProductSort.safeParse(source.sort).success,
        `home.${index}.source.sort`,
        `must be one of ${ProductSort.options.join(', ')}`,
      ),
    ),
  ]
}

function faultsOfCheckout({ checkout = {} }: StorefrontConfiguration): Issue[] {
  const { mode, provider, razorpayKeyId } = checkout
  return [
    ...when(
      mode !== undefined && !CHECKOUT_MODES.has(mode),
      'checkout.mode',
      `must be one of ${[...CHECKOUT_MODES].join(', ')}`,
    ),
    ...when(
      provider !== undefined && !PAYMENT_PROVIDERS.has(provider),
      'checkout.provider',
      `must be one of ${[...PAYMENT_PROVIDERS].join(', ')}`,
    ),
    ...when(
      razorpayKeyId !== undefined && razorpayKeyId !== '' && !RAZORPAY_KEY_ID.test(razorpayKeyId),
      'checkout.razorpayKeyId',
      'must be the id of a Razorpay key, such as rzp_live_8Wdq2xkPz0Vb3n: its secret belongs into POST /admin/credentials',
    ),
  ]
}

function faultsOfPricing(document: StorefrontConfiguration, currencyInUse: string | undefined): Issue[] {
  const { pricing } = document
  const currency = currencyOf({ version: 0, document })
  return [
    ...when(!CURRENCIES.has(currency), 'pricing.currency', 'must be an ISO 4217 currency code'),
    ...when(
      currencyInUse !== undefined && currencyInUse !== currency,
      'pricing.currency',
      `cannot be ${currency} while there are products with prices in ${currencyInUse}: every price would be wrong`,
    ),
    ...(pricing?.currencies ?? []).flatMap((each, index) =>
      when(!CURRENCIES.has(each), `pricing.currencies.${index}`, 'must be an ISO 4217 currency code'),
    ),
    ...when(
      pricing?.locale !== undefined && !isLocale(pricing.locale),
      'pricing.locale',
      'must be a BCP 47 language tag such as en-US',
    ),
  ]
}

function faultsOfDelivery({ timeZone, holidays = [], countries = [] }: CommerceSettings): Issue[] {
  return [
    ...when(
      timeZone !== undefined && !IANAZone.isValidZone(timeZone),
      'commerce.timeZone',
      'must be a time zone such as Europe/Paris',
    ),
    ...holidays.flatMap((day, index) =>
      when(!IsoDate.safeParse(day).success, `commerce.holidays.${index}`, 'must be a date such as 2026-12-25'),
    ),
    ...countries.flatMap((country, index) =>
      when(
        !isCountry(typeof country === 'string' ? country : country.code),
        `commerce.countries.${index}${typeof country === 'string' ? '' : '.code'}`,
        'must be a two-letter country code',
      ),
    ),
  ]
}

function faultsOfShipping({ shippingMethods = [] }: CommerceSettings, currency: string): Issue[] {
  const ids = shippingMethods.map((method) => method.id)
  return shippingMethods.flatMap(({ id, price, workingDays = 0 }, index) => {
    const path = `commerce.shippingMethods.${index}`
    return [
      ...when(ids.indexOf(id) !== index, `${path}.id`, `${id} is the id of another method`),
      ...when(id.length > MAX_METHOD_ID_LENGTH, `${path}.id`, `must not exceed ${MAX_METHOD_ID_LENGTH} characters`),
      ...when(price.currency !== currency, `${path}.price.currency`, `must be ${currency}, the currency of the shop`),
      ...when(workingDays > MAX_WORKING_DAYS, `${path}.workingDays`, `must not exceed ${MAX_WORKING_DAYS}`),
    ]
  })
}

function faultsOfTax({ tax }: CommerceSettings): Issue[] {
  const rates = tax?.rates ?? []
  const places = rates.map(({ country, region }) => [country, region ?? ''].join('/').toUpperCase())
  return [
    ...when((tax?.defaultRate ?? 0) > MAX_TAX_RATE, 'commerce.tax.defaultRate', `must not exceed ${MAX_TAX_RATE}`),
    ...rates.flatMap(({ country }, index) =>
      when(!isCountry(country), `commerce.tax.rates.${index}.country`, 'must be a two-letter country code'),
    ),
    ...places.flatMap((place, index) =>
      when(places.indexOf(place) !== index, `commerce.tax.rates.${index}`, 'another rate is for the same place'),
    ),
  ]
}

function when(isFault: boolean, path: string, message: string): Issue[] {
  return isFault ? [{ path, message }] : []
}

function isCountry(code: string): boolean {
  return /^[a-z]{2}$/i.test(code)
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

import { IANAZone } from 'luxon'
import { z } from 'zod'
import {
  countryCodeOf,
  HOME_SECTION_TYPES,
  minorUnitDigits,
  ProductSort,
  type StorefrontConfiguration,
} from '@storefront/contracts'
import { findRegion, foldedName } from '@storefront/contracts/regions'
import { nearestName } from '@storefront/http'
import type { Issue } from '../errors.ts'
import { pathsOfSecrets } from './misplaced-secrets.ts'
import { currencyOf, filled, RAZORPAY_KEY_ID } from './settings-in-force.ts'

type Commerce = NonNullable<StorefrontConfiguration['commerce']>

const CHECKOUT_MODES = new Set(['demo', 'api', 'redirect', 'razorpay'])
const PAYMENT_PROVIDERS = new Set(['demo', 'stripe', 'razorpay'])
const RELATED_STRATEGIES = new Set(['automatic', 'same-category', 'best-sellers', 'manual', 'api', 'off'])
const SHOWN_TYPES: readonly string[] = HOME_SECTION_TYPES
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Limited because every visitor downloads the whole document, and every version of it is kept. */
const MAX_BYTES = 512 * 1024
/** Limited because the first page of every visitor waits for the list of each rail. */
const MAX_HOME_SECTIONS = 100
const MAX_RELATED = 48
/** The maximum length of a shipping method in a checkout. */
const MAX_METHOD_ID_LENGTH = 100
/** A delivery estimate looks about 400 days ahead. */
const MAX_WORKING_DAYS = 200
const MAX_TAX_RATE = 100_000

/** The form of the public keys of payment providers. */
const PUBLIC_KEY = /^(?:rzp|pk)_\w+$/

const SECRET_MESSAGE = 'is a secret, and every visitor can read this document: send it to POST /admin/credentials'

const IsoDate = z.iso.date()

/**
 * Every value in a configuration that its schema accepts but that is not valid for the shop.
 * @param currencyInUse the currency of the existing products; undefined when there are none, or when it cannot differ
 */
export function faultsOfSettings(document: StorefrontConfiguration, currencyInUse: string | undefined): Issue[] {
  const { orders } = document
  return [
    ...when(Buffer.byteLength(JSON.stringify(document)) > MAX_BYTES, '', `must not exceed ${MAX_BYTES} bytes in all`),
    ...pathsOfSecrets(document).map((path) => ({ path: path.join('.'), message: SECRET_MESSAGE })),
    ...faultsOfPricing(document, currencyInUse),
    ...faultsOfCommerce(document.commerce ?? {}),
    ...faultsOfCheckout(document),
    ...faultsOfCharging(document),
    ...when(/\s/.test(orders?.numberPrefix ?? ''), 'orders.numberPrefix', 'must not contain spaces'),
    ...faultsOfRecommendations(document),
    ...faultsOfHome(document.home ?? []),
  ]
}

function faultsOfCommerce(commerce: Commerce): Issue[] {
  return [...faultsOfDelivery(commerce), ...faultsOfShipping(commerce), ...faultsOfTax(commerce)]
}

function faultsOfCheckout({ checkout }: StorefrontConfiguration): Issue[] {
  const mode = filled(checkout?.mode)
  const provider = filled(checkout?.provider)
  const publicKey = filled(checkout?.publicKey)
  return [
    ...oneOf(mode, CHECKOUT_MODES, 'checkout.mode'),
    ...oneOf(provider, PAYMENT_PROVIDERS, 'checkout.provider'),
    ...when(
      mode === 'redirect' && provider === 'razorpay',
      'checkout.provider',
      'must be demo or stripe when checkout.mode is redirect; for the form of Razorpay, set checkout.mode to razorpay',
    ),
    ...when(
      publicKey !== undefined && (mode === 'razorpay' ? !RAZORPAY_KEY_ID.test(publicKey) : !PUBLIC_KEY.test(publicKey)),
      'checkout.publicKey',
      'must be the public half of a key, such as rzp_live_8Wdq2xkPz0Vb3n: send its secret to POST /admin/credentials',
    ),
  ]
}

/** Payment providers do not accept all amounts of currencies with three decimals: they must end in 0. */
function faultsOfCharging(document: StorefrontConfiguration): Issue[] {
  const { mode, provider } = document.checkout ?? {}
  const currency = currencyOf({ document })
  const isCharging = mode === 'razorpay' || (mode === 'redirect' && provider === 'stripe')
  return when(
    isCharging && minorUnitDigits(currency) === 3,
    mode === 'razorpay' ? 'checkout.mode' : 'checkout.provider',
    `cannot be ${mode === 'razorpay' ? mode : provider} while pricing.currency is ${currency}: it accepts only amounts whose last decimal is 0`,
  )
}

function faultsOfRecommendations({ recommendations }: StorefrontConfiguration): Issue[] {
  const limit = recommendations?.limit ?? undefined
  return [
    ...oneOf(filled(recommendations?.strategy), RELATED_STRATEGIES, 'recommendations.strategy'),
    ...when(
      limit !== undefined && (limit < 1 || limit > MAX_RELATED),
      'recommendations.limit',
      `must be from 1 to ${MAX_RELATED}`,
    ),
  ]
}

function faultsOfHome(home: NonNullable<StorefrontConfiguration['home']>): Issue[] {
  return [
    ...when(home.length > MAX_HOME_SECTIONS, 'home', `must not hold more than ${MAX_HOME_SECTIONS} sections`),
    ...home.flatMap(({ source }, index) =>
      oneOf(filled(source?.sort), new Set(ProductSort.options), `home.${index}.source.sort`),
    ),
    ...home.flatMap(({ type }, index) => {
      const meant = misspelledType(type)
      return when(meant !== undefined, `home.${index}.type`, `is "${type.slice(0, 50)}". Did you mean "${meant}"?`)
    }),
  ]
}

/**
 * A storefront may have custom sections, but a name that is similar to a known one is probably a mistake.
 */
function misspelledType(type: string): string | undefined {
  if (SHOWN_TYPES.some((shown) => type.startsWith(shown))) return undefined
  const nearest = nearestName(type, SHOWN_TYPES)
  return nearest?.isLikely === true ? nearest.name : undefined
}

function faultsOfPricing(document: StorefrontConfiguration, currencyInUse: string | undefined): Issue[] {
  const currency = currencyOf({ document })
  const locale = filled(document.pricing?.locale)
  return [
    ...when(!CURRENCIES.has(currency), 'pricing.currency', 'must be an ISO 4217 currency code'),
    ...when(
      currencyInUse !== undefined && currencyInUse !== currency,
      'pricing.currency',
      `cannot be ${currency} while there are products with prices in ${currencyInUse}: every price would be wrong`,
    ),
    ...(document.pricing?.currencies ?? []).flatMap(({ code }, index) =>
      when(!CURRENCIES.has(code), `pricing.currencies.${index}.code`, 'must be an ISO 4217 currency code'),
    ),
    ...when(locale !== undefined && !isLocale(locale), 'pricing.locale', 'must be a BCP 47 language tag such as en-US'),
  ]
}

function faultsOfDelivery({ timeZone, holidays, countries }: Commerce): Issue[] {
  const zone = filled(timeZone)
  return [
    ...when(
      zone !== undefined && !IANAZone.isValidZone(zone),
      'commerce.timeZone',
      'must be a time zone such as Europe/Paris',
    ),
    ...(holidays ?? []).flatMap((day, index) =>
      when(!IsoDate.safeParse(day).success, `commerce.holidays.${index}`, 'must be a date such as 2026-12-25'),
    ),
    ...(countries ?? []).flatMap(([code], index) =>
      when(!isCountry(code), `commerce.countries.${index}.0`, notACountry(code)),
    ),
  ]
}

function faultsOfShipping({ shippingMethods }: Commerce): Issue[] {
  const ids = (shippingMethods ?? []).map((method) => method.id)
  return (shippingMethods ?? []).flatMap(({ id, workingDays }, index) => {
    const path = `commerce.shippingMethods.${index}`
    return [
      ...when(ids.indexOf(id) !== index, `${path}.id`, `${id} is already the id of another method`),
      ...when(id.length > MAX_METHOD_ID_LENGTH, `${path}.id`, `must not exceed ${MAX_METHOD_ID_LENGTH} characters`),
      ...when((workingDays ?? 0) > MAX_WORKING_DAYS, `${path}.workingDays`, `must not exceed ${MAX_WORKING_DAYS}`),
    ]
  })
}

function faultsOfTax({ tax }: Commerce): Issue[] {
  const rates = tax?.rates ?? []
  const places = rates.map(placeOf)
  return [
    ...when((tax?.defaultRate ?? 0) > MAX_TAX_RATE, 'commerce.tax.defaultRate', `must not exceed ${MAX_TAX_RATE}`),
    ...rates.flatMap(({ country }, index) =>
      when(!isCountry(country), `commerce.tax.rates.${index}.country`, notACountry(country)),
    ),
    ...rates.flatMap(({ country, region }, index) =>
      when(
        isCountry(country) && isFilled(region) && findRegion(country, region).codes.length === 0,
        `commerce.tax.rates.${index}.region`,
        `must be a region of ${country} by its ISO 3166-2 code, name or common abbreviation, not "${region?.slice(0, 50)}"`,
      ),
    ),
    ...places.flatMap((place, index) =>
      when(
        places.indexOf(place) !== index,
        `commerce.tax.rates.${index}`,
        'another rate is for the same country or region',
      ),
    ),
  ]
}

/** Identifies a country or region, independently of the spelling of the region. */
function placeOf({ country, region }: { country: string; region?: string | null | undefined }): string {
  const { codes } = findRegion(country, region ?? '')
  return [country, codes.length > 0 ? codes.join(' ') : foldedName(region ?? '')].join('/').toUpperCase()
}

function isFilled(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== ''
}

function oneOf(value: string | undefined, allowed: ReadonlySet<string>, path: string): Issue[] {
  return when(value !== undefined && !allowed.has(value), path, `must be one of ${[...allowed].join(', ')}`)
}

function when(isFault: boolean, path: string, message: string): Issue[] {
  return isFault ? [{ path, message }] : []
}

function isCountry(code: string): boolean {
  return countryCodeOf(code) !== undefined
}

function notACountry(found: string): string {
  return `must be an ISO 3166-1 alpha-2 code such as GB, not "${found.slice(0, 50)}"`
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

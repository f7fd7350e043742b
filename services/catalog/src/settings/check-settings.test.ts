import { describe, expect, test } from 'vitest'
import { StorefrontConfiguration } from '@storefront/contracts'
import { faultsOfSettings } from './check-settings.ts'
import { inClientShapes } from './client-shapes.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })

const sound = {
  store: { name: 'Atelier', logo: { wordmark: 'ATELIER' } },
  pricing: { currency: 'USD', locale: 'en-US', currencies: ['USD', 'EUR', 'JPY'] },
  commerce: {
    freeShippingOver: 15_000,
    shippingMethods: [
      { id: 'standard', price: usd(900) },
      { id: 'express', price: usd(1900), workingDays: 200 },
    ],
    countries: ['US', 'ca', { code: 'GB', name: 'Britain' }],
    cutoffHour: 0,
    timeZone: 'America/New_York',
    holidays: ['2026-12-25', '2028-02-29'],
    tax: {
      defaultRate: 800,
      rates: [
        { country: 'US', rate: 0 },
        { country: 'US', region: 'NY', rate: 888 },
      ],
    },
  },
  home: [{ type: 'product-rail', source: { sort: 'newest', limit: 8 } }, { type: 'hero' }],
  recommendations: { strategy: 'same-category', limit: 48 },
  checkout: { mode: 'razorpay', createUrl: '' },
  orders: { numberPrefix: 'AT-' },
  navigation: { primary: [{ label: 'Women', children: [{ label: 'Coats', to: '/shop/coats' }] }] },
}

const pathsOf = (document: unknown, currencyInUse?: string) =>
  faultsOfSettings(StorefrontConfiguration.parse(inClientShapes(document, 'USD')), currencyInUse).map(
    (issue) => issue.path,
  )

describe('a valid configuration', () => {
  test('has no faults, and neither does an empty one', () => {
    expect(pathsOf(sound, 'USD')).toEqual([])
    expect(pathsOf({})).toEqual([])
    expect(pathsOf({}, 'USD')).toEqual([])
  })

  test.each(['demo', 'api', 'redirect', 'razorpay'])('may check out by %s', (mode) => {
    expect(pathsOf({ checkout: { mode } })).toEqual([])
  })

  test.each(['demo', 'stripe'])('may use the payment provider %s', (provider) => {
    expect(pathsOf({ checkout: { mode: 'redirect', provider, restockOnRefund: false } })).toEqual([])
  })

  test.each(['KWD', 'BHD', 'TND'])(
    'has no payment provider for %s, because providers reject amounts of this currency',
    (currency) => {
      const inCurrency = (checkout: object) => pathsOf({ pricing: { currency }, checkout })
      expect(inCurrency({ mode: 'redirect', provider: 'stripe' })).toEqual(['checkout.provider'])
      expect(inCurrency({ mode: 'razorpay' })).toEqual(['checkout.mode'])
      expect(inCurrency({ mode: 'redirect', provider: 'demo' })).toEqual([])
      expect(inCurrency({ mode: 'api', provider: 'stripe' })).toEqual([])
    },
  )

  test('does not redirect to a page of Razorpay, whose form has a separate mode', () => {
    expect(pathsOf({ checkout: { mode: 'redirect', provider: 'razorpay' } })).toEqual(['checkout.provider'])
    expect(pathsOf({ checkout: { mode: 'razorpay', provider: 'razorpay' } })).toEqual([])
  })

  test.each(['de', 'GB', 'XK'])('may sell to %s', (country) => {
    const tax = { rates: [{ country, rate: 1900 }] }
    expect(pathsOf({ commerce: { countries: [[country, 'There']], tax } })).toEqual([])
  })

  test.each(['UK', 'EU', 'ZZ', '12', 'GBR'])('cannot sell to %s, where no checkout is possible', (country) => {
    const tax = { rates: [{ country, rate: 1900 }] }
    const paths = ['commerce.countries.0.0', 'commerce.tax.rates.0.country']
    expect(pathsOf({ commerce: { countries: [[country, 'There']], tax } })).toEqual(paths)
  })

  test('may have custom sections, but none with a misspelled known name', () => {
    const home = [{ type: 'lookbook' }, { type: 'hero-2' }, { type: 'product-rial' }, { type: 'Hero' }]
    expect(pathsOf({ home })).toEqual(['home.2.type', 'home.3.type'])
  })

  test.each(['rzp_test_8Wdq2xkPz0Vb3n', 'rzp_live_8Wdq2xkPz0Vb3n', ''])('may name a key: %j', (razorpayKeyId) => {
    expect(pathsOf({ checkout: { mode: 'razorpay', razorpayKeyId } })).toEqual([])
  })
})

describe('an invalid configuration is reported with', () => {
  test.each<[string, unknown, string]>([
    ['an unknown currency', { pricing: { currency: 'XYQ' } }, 'pricing.currency'],
    ['a currency in lower case', { pricing: { currency: 'usd' } }, 'pricing.currency'],
    ['an invalid second currency', { pricing: { currencies: ['EUR', 'euro'] } }, 'pricing.currencies.1.code'],
    ['an invalid locale', { pricing: { locale: 'en_US' } }, 'pricing.locale'],
    ['an unknown time zone', { commerce: { timeZone: 'Mars/Olympus' } }, 'commerce.timeZone'],
    ['a holiday that is not a date', { commerce: { holidays: ['Christmas'] } }, 'commerce.holidays.0'],
    ['a day that does not exist', { commerce: { holidays: ['2026-02-29'] } }, 'commerce.holidays.0'],
    ['a time in place of a day', { commerce: { holidays: ['2026-12-25T00:00:00Z'] } }, 'commerce.holidays.0'],
    ['a country that is not a code', { commerce: { countries: ['US', 'Germany'] } }, 'commerce.countries.1.0'],
    ['a country without a code', { commerce: { countries: [{ code: '' }] } }, 'commerce.countries.0.0'],
    [
      'two methods with the same id',
      {
        commerce: {
          shippingMethods: [
            { id: 'a', price: usd(1) },
            { id: 'b', price: usd(1) },
            { id: 'a', price: usd(2) },
          ],
        },
      },
      'commerce.shippingMethods.2.id',
    ],
    [
      'a method with an id that is too long',
      { commerce: { shippingMethods: [{ id: 'x'.repeat(101), price: usd(1) }] } },
      'commerce.shippingMethods.0.id',
    ],
    [
      'a method with too many working days',
      { commerce: { shippingMethods: [{ id: 'a', price: usd(1), workingDays: 201 }] } },
      'commerce.shippingMethods.0.workingDays',
    ],
    ['a tax above the maximum', { commerce: { tax: { defaultRate: 100_001 } } }, 'commerce.tax.defaultRate'],
    [
      'a tax for no country',
      { commerce: { tax: { rates: [{ country: '', rate: 1 }] } } },
      'commerce.tax.rates.0.country',
    ],
    [
      'two taxes for the same place',
      {
        commerce: {
          tax: {
            rates: [
              { country: 'US', region: 'ny', rate: 1 },
              { country: 'us', region: 'NY', rate: 2 },
            ],
          },
        },
      },
      'commerce.tax.rates.1',
    ],
    [
      'two taxes for the same place, by its code and by its name',
      {
        commerce: {
          tax: {
            rates: [
              { country: 'US', region: 'NY', rate: 1 },
              { country: 'US', region: 'New York', rate: 2 },
            ],
          },
        },
      },
      'commerce.tax.rates.1',
    ],
    [
      'a tax for a region that the country does not have',
      { commerce: { tax: { rates: [{ country: 'US', region: 'Bavaria', rate: 1 }] } } },
      'commerce.tax.rates.0.region',
    ],
    ['an unknown checkout mode', { checkout: { mode: 'barter' } }, 'checkout.mode'],
    ['an unknown provider', { checkout: { provider: 'paypal' } }, 'checkout.provider'],
    ['a key that may be a secret', { checkout: { razorpayKeyId: 'Zk3mYq0' } }, 'checkout.publicKey'],
    ['an order number in two words', { orders: { numberPrefix: 'No. ' } }, 'orders.numberPrefix'],
    ['a negative limit', { recommendations: { limit: -1 } }, 'recommendations.limit'],
    ['an unknown strategy', { recommendations: { strategy: 'magic' } }, 'recommendations.strategy'],
    [
      'a rail with an unknown sort',
      { home: [{ type: 'hero' }, { type: 'product-rail', source: { sort: 'cheap' } }] },
      'home.1.source.sort',
    ],
    ['an endless home', { home: Array.from({ length: 101 }, () => ({ type: 'hero' })) }, 'home'],
    ['more than the maximum size', { notes: 'x'.repeat(512 * 1024) }, ''],
  ])('%s', (_fault, change, path) => {
    expect(pathsOf(change)).toEqual([path])
  })

  test('a currency that is not that of the products, given or left out', () => {
    expect(pathsOf({ pricing: { currency: 'EUR' } }, 'USD')).toEqual(['pricing.currency'])
    expect(pathsOf({}, 'EUR')).toEqual(['pricing.currency'])
    expect(pathsOf({ pricing: { currency: 'EUR' } }, 'EUR')).toEqual([])
    expect(pathsOf({ pricing: { currency: 'EUR' } })).toEqual([])
  })

  test('each of its faults, when there are several', () => {
    expect(
      pathsOf({
        pricing: { currency: 'EUR', locale: 'x' },
        commerce: { cutoffHour: 9, holidays: ['soon'], timeZone: 'x' },
      }).toSorted(),
    ).toEqual(['commerce.holidays.0', 'commerce.timeZone', 'pricing.locale'])
  })
})

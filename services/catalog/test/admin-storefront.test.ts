import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  PriceSettings,
  priceSettingsKey,
  CREDENTIAL_KEYS,
  SettingsUpdated,
  type Permission,
} from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, PUBLIC_URL, sendAsAdmin, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let redis: Redis

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  redis = new Redis(suite.redisUrl)
})

afterAll(async () => {
  redis.disconnect()
  await suite.stop()
})

type Body = Record<string, unknown>
type Headers = Record<string, string>

const call = (method: 'GET' | 'PATCH' | 'POST' | 'DELETE', path: string, body?: Body, headers?: Headers) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/storefront${path}`, body, headers)

const change = async (body: Body, headers: Headers = {}) => {
  const response = await call('PATCH', '', body, headers)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response
}
const rejected = async (body: Body): Promise<string[]> => {
  const response = await call('PATCH', '', body)
  expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  return response.body.detail.issues.map((issue: { path: string }) => issue.path)
}
const stored = async () => (await call('GET', '')).body
const shown = async () => (await catalog.app.inject({ url: '/storefront' })).json()
const versions = async (query = '') => (await call('GET', `/versions${query}`)).body
/** The settings in the price projection, as carts and checkouts read them. */
const projectedSettings = async () =>
  PriceSettings.parse(JSON.parse((await redis.hget(priceSettingsKey(suite.namespace), 'settings')) ?? '{}'))

/** The version of the configuration after the last reset. */
let base = 0
async function reset(): Promise<void> {
  const response = await importCatalogue(catalog.app, suite, {
    mode: 'replace',
    settings: { store: { name: `${base}` } },
  })
  expect(response.statusCode).toBe(200)
  base = (await stored()).version
}

describe('the storefront configuration', () => {
  beforeEach(reset)

  test('merges objects, replaces arrays and keeps keys below extensions', async () => {
    const [one, two, three] = ['/one', '/two', '/three'].map((to) => ({ label: to, to }))
    await change({ store: { tagline: 'Slow' }, navigation: { primary: [one, two] }, extensions: { x: [1] } })
    const { body, status } = await change({
      store: { name: 'Atelier' },
      navigation: { primary: [three], footer: [] },
      extensions: { y: 'new' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      store: { name: 'Atelier', tagline: 'Slow' },
      navigation: { primary: [three], footer: [] },
      extensions: { x: [1], y: 'new' },
      version: base + 2,
    })
    expect(await stored()).toEqual(body)
    expect(await shown()).toEqual(body)
    const bootstrap = await catalog.app.inject({ url: '/bootstrap' })
    expect(bootstrap.json().storefront).toEqual(body)
  })

  test('treats an empty text in the source of a rail as no restriction, like null', async () => {
    expect(
      (await importCatalogue(catalog.app, suite, { products: [shirt('linen', { tags: ['new'] })] })).statusCode,
    ).toBe(200)
    const sources = [
      { category: '', collection: '', tags: '' },
      { category: null, collection: null, tags: null },
      { tags: ['', ' '] },
      { tags: ', new,' },
      { tags: [' new'] },
    ]
    await change({ home: sources.map((source) => ({ type: 'product-rail', source })) })
    const { rails } = (await catalog.app.inject({ url: '/bootstrap' })).json()
    const shownIn = (name: string) => rails[name].map(({ slug }: { slug: string }) => slug)
    expect(Object.keys(rails)).toHaveLength(sources.length)
    for (const name of Object.keys(rails)) expect(shownIn(name), name).toEqual(['linen'])
    expect(shownIn('{"sort":"featured","category":"","collection":"","tags":"","limit":4}')).toEqual(['linen'])
  })

  test('returns pictures on this server with absolute addresses, and stores them as they were written', async () => {
    const { body } = await change({ store: { logo: { imageUrl: '/media/logo.svg' } } })
    expect(body.store.logo.imageUrl).toBe(`${PUBLIC_URL}/media/logo.svg`)
    expect(await shown()).toEqual(body)
    expect((await stored()).store.logo.imageUrl).toBe('/media/logo.svg')
    const again = await change({ store: body.store })
    expect(again.body.version).toBe(body.version)
    expect((await stored()).store.logo.imageUrl).toBe('/media/logo.svg')
  })

  test.each([
    'Linen & Sons Ltd\n12 Analytical Row\nLondon W1 1AA',
    { name: 'Linen & Sons Ltd', line1: '12 Analytical Row', city: 'London', country: 'GB' },
  ])('keeps the address of the shop as it was written: %j', async (address) => {
    const { body } = await change({ store: { address } })
    expect(body.store.address).toEqual(address)
    expect((await shown()).store.address).toEqual((await stored()).store.address)
  })

  test('rejects an address of the shop that is too long or not an address, and names the field', async () => {
    const faults: [unknown, string][] = [
      ['x'.repeat(501), 'store.address'],
      [5, 'store.address'],
      [['12 Analytical Row'], 'store.address'],
      [{ line1: 'x'.repeat(201) }, 'store.address.line1'],
      [{ city: 5 }, 'store.address'],
    ]
    for (const [address, path] of faults) expect(await rejected({ store: { address } })).toEqual([path])
  })

  test('reads null and empty texts back as they were written, and uses the defaults for them', async () => {
    await change({ home: [], commerce: { freeShippingOver: 5000, cutoffHour: 9 }, pricing: { locale: 'de-DE' } })
    const unset = {
      home: null,
      commerce: { freeShippingOver: null, cutoffHour: null, timeZone: '' },
      pricing: { currency: '', locale: null },
      navigation: { announcement: null },
      checkout: { mode: '', provider: null, publicKey: '' },
      recommendations: { strategy: '', limit: null },
      notifications: { replyTo: '', smtp: { host: '', port: null } },
    }
    const { body } = await change(unset)
    expect(body).toMatchObject(unset)
    expect(await stored()).toMatchObject(unset)
    const { notifications: _notifications, checkout: _checkout, ...visible } = unset
    expect(await shown()).toMatchObject(visible)
    expect(await projectedSettings()).toMatchObject({
      currency: 'USD',
      locale: 'en-US',
      checkoutMode: 'demo',
      checkoutProvider: 'demo',
      commerce: { freeShippingOver: null },
    })
    expect((await change({ navigation: { announcement: { messages: ['Hi'] } } })).body.navigation).toEqual({
      announcement: { messages: ['Hi'] },
    })
  })

  test('loses a deleted key, and no other', async () => {
    await change({ store: { name: 'Atelier', tagline: 'Slow' }, navigation: { announcement: null }, promises: [] })
    const { status, body, headers } = await call('DELETE', '/store.tagline')
    expect(status).toBe(200)
    expect(body).toEqual({ ok: true, version: base + 2 })
    expect(headers.etag).toBe(`"${base + 2}"`)
    expect(await stored()).toEqual({
      store: { name: 'Atelier' },
      navigation: { announcement: null },
      promises: [],
      version: base + 2,
    })
    expect(headers['surrogate-purge']).toBe('settings')
    await call('DELETE', '/navigation.announcement')
    expect((await stored()).navigation).toEqual({})
    await call('DELETE', '/promises')
    expect(await stored()).not.toHaveProperty('promises')
    const again = await call('DELETE', '/promises')
    expect(again).toMatchObject({ status: 200, body: { version: base + 4 } })
    expect(again.headers['surrogate-purge']).toBeUndefined()
    expect((await call('DELETE', '/store', undefined, { 'if-match': `"${base}"` })).status).toBe(409)
    for (const path of ['nonsense', 'store.nonsense', 'store.', '__proto__', 'constructor', 'x'.repeat(900)]) {
      expect(await call('DELETE', `/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await stored()).version).toBe(base + 4)
  })

  test('accepts the shapes of earlier versions, and returns those of the storefront', async () => {
    const { body } = await change({
      pricing: { currencies: ['USD', 'EUR'] },
      commerce: {
        shippingMethods: [{ id: 'post', label: 'Post', price: usd(500) }],
        countries: ['US', 'gb', { code: 'IE' }, { code: 'DE', name: 'Deutschland' }, ['FR', 'France']],
      },
      navigation: {
        primary: [
          { label: 'Women', href: '/category/women', children: [{ label: 'Gifts', href: '/collection/gifts' }] },
        ],
        footer: [{ label: 'Help', children: [{ label: 'Sizes', href: '/pages/size-guide' }] }],
        announcement: { messages: [{ label: 'Hi' }, 'Ho'] },
      },
      home: [
        { type: 'hero', title: 'First', cta: { label: 'Shop', href: '/collection/first' } },
        { type: 'collections', title: 'Together', collections: ['first', 'second'] },
      ],
      promises: ['slow'],
      checkout: { razorpayKeyId: 'rzp_test_1' },
    })
    expect(body).toEqual({
      version: base + 1,
      store: { name: expect.any(String) },
      pricing: {
        currencies: [
          { code: 'USD', label: 'US Dollar', symbol: '$' },
          { code: 'EUR', label: 'Euro', symbol: '€' },
        ],
      },
      commerce: {
        shippingMethods: [{ id: 'post', label: 'Post', price: 500 }],
        countries: [
          ['US', 'United States'],
          ['GB', 'United Kingdom'],
          ['IE', 'Ireland'],
          ['DE', 'Deutschland'],
          ['FR', 'France'],
        ],
      },
      navigation: {
        primary: [{ label: 'Women', to: '/shop/women', children: [{ label: 'Gifts', to: '/collections/gifts' }] }],
        footer: [{ title: 'Help', links: [{ label: 'Sizes', to: '/pages/size-guide' }] }],
        announcement: { messages: ['Hi', 'Ho'] },
      },
      home: [
        { type: 'hero', title: 'First', actions: [{ label: 'Shop', to: '/collections/first' }] },
        { type: 'collection-grid', title: 'Together', source: { limit: 2 } },
      ],
      promises: [{ title: 'slow' }],
      checkout: { publicKey: 'rzp_test_1' },
    })
    expect(await projectedSettings()).toMatchObject({
      razorpayKeyId: 'rzp_test_1',
      commerce: { shippingMethods: [{ id: 'post', price: usd(500) }], countries: ['US', 'GB', 'IE', 'DE', 'FR'] },
    })
  })

  test('names the built-in checkout by default, so that every mode has an address', async () => {
    for (const createUrl of [undefined, null, '']) {
      await change({ checkout: { mode: 'redirect', ...(createUrl !== undefined && { createUrl }) } })
      expect((await shown()).checkout).toEqual({ mode: 'redirect', createUrl: '/carts/:cartId/checkout' })
      const bootstrap = await catalog.app.inject({ url: '/bootstrap' })
      expect(bootstrap.json().storefront.checkout.createUrl).toBe('/carts/:cartId/checkout')
    }
    expect((await stored()).checkout.createUrl).toBe('')
    await change({ checkout: { createUrl: 'https://pay.example/sessions' } })
    expect((await shown()).checkout.createUrl).toBe('https://pay.example/sessions')
  })

  test.each<[string, Body, string, string]>([
    [
      'a name in another case',
      { commerce: { freeshippingOver: 1 } },
      'commerce.freeshippingOver',
      'commerce.freeShippingOver',
    ],
    ['a name that belongs elsewhere', { freeshippingOver: 1 }, 'freeshippingOver', 'commerce.freeShippingOver'],
    ['a misspelled name', { store: { tagLin: 'x' } }, 'store.tagLin', 'store.tagline'],
    [
      'a link under another common name',
      { home: [{ type: 'hero', actions: [{ label: 'x', href: '/x' }] }] },
      'home.0.actions.0.href',
      'home.0.actions.0.to',
    ],
    [
      'a name in a list',
      { commerce: { tax: { rates: [{ country: 'US', rate: 1, regoin: 'NY' }] } } },
      'commerce.tax.rates.0.regoin',
      'commerce.tax.rates.0.region',
    ],
  ])('reports an unknown name: %s', async (_what, body, path, nearest) => {
    const response = await call('PATCH', '', body)
    expect(response).toMatchObject({ status: 422, body: { code: 'unknown_field' } })
    expect(response.body.message).toBe(`Unknown field \`${path}\`. Did you mean \`${nearest}\`?`)
    expect(response.body.detail.fields).toEqual([{ path, nearest }])
    expect((await stored()).version).toBe(base)
  })

  test('lets sections of other types, and stored documents, keep their names', async () => {
    const quiz = { type: 'quiz', questions: [{ text: 'Linen?' }] }
    expect((await change({ home: [quiz] })).body.home).toEqual([quiz])
    const old = JSON.stringify({ future: { x: 1 }, store: { name: 'Old', own: [5] } })
    await suite.sql('update catalog.settings set document = $1::jsonb', [old])
    const { body } = await change({ future: { x: 2 }, store: { own: [6] } })
    expect(body).toMatchObject({ future: { x: 2 }, store: { name: 'Old', own: [6] } })
  })

  test('counts its versions itself, and an empty change makes none', async () => {
    const first = await change({ store: { name: 'Atelier' }, version: 9000 })
    expect(first.body.version).toBe(base + 1)
    expect(first.headers['etag']).toBe(`"${base + 1}"`)
    expect(first.headers['surrogate-purge']).toBe('settings')
    const again = await change({ store: { name: 'Atelier' }, version: 1 })
    expect(again.body).toEqual(first.body)
    expect(again.headers['surrogate-purge']).toBeUndefined()
    expect((await versions()).items[0].version).toBe(base + 1)
  })

  test('updates the price projection, the event and the audit', async () => {
    await change({
      commerce: { shippingMethods: [{ id: 'post', price: usd(500) }] },
      orders: { numberPrefix: 'AT-' },
      checkout: { mode: 'api' },
    })
    expect(await projectedSettings()).toMatchObject({
      version: base + 1,
      checkoutMode: 'api',
      numberPrefix: 'AT-',
      commerce: { shippingMethods: [{ id: 'post', price: usd(500) }] },
    })
    await waitFor('the event', async () => (await suite.eventsOf(SettingsUpdated)).at(-1)?.version === base + 1)
    const entries = await suite.sql<{ action: string; actor: string; before: Body; after: Body }>(
      `select action, actor, before, after from catalog.audit_entries where subject_kind = 'storefront' order by id desc limit 1`,
    )
    expect(entries).toEqual([
      {
        action: 'update',
        actor: 'user_test',
        before: {},
        after: {
          commerce: { shippingMethods: [{ id: 'post', price: 500 }] },
          orders: { numberPrefix: 'AT-' },
          checkout: { mode: 'api' },
        },
      },
    ])
  })

  test('may have another currency as long as no product has a price', async () => {
    expect((await change({ pricing: { currency: 'EUR' } })).body.pricing.currency).toBe('EUR')
    const products = [{ ...shirt('coat'), price: { amount: 100, currency: 'EUR' }, published: false }]
    expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
    for (const currency of ['USD', null]) {
      const response = await call('PATCH', '', { pricing: { currency } })
      expect(response.body.detail.issues).toEqual([
        { path: 'pricing.currency', message: expect.stringMatching(/USD while .* EUR/) },
      ])
    }
    expect((await change({ pricing: { currency: 'EUR', locale: 'fr' } })).body.pricing.locale).toBe('fr')
  })
})

describe('an invalid change of the shop', () => {
  beforeAll(reset)

  test('is rejected with all its errors, and changes nothing', async () => {
    const before = await stored()
    expect(
      (
        await rejected({
          pricing: { locale: 'x' },
          commerce: { timeZone: 'Nowhere', holidays: ['soon'] },
          checkout: { mode: 'barter' },
        })
      ).toSorted(),
    ).toEqual(['checkout.mode', 'commerce.holidays.0', 'commerce.timeZone', 'pricing.locale'])
    expect(await stored()).toEqual(before)
    expect((await versions()).items[0].version).toBe(base)
  })

  test.each<[string, Body, string]>([
    [
      'money as a float',
      { commerce: { shippingMethods: [{ id: 'a', price: { amount: 1.5, currency: 'USD' } }] } },
      'commerce.shippingMethods.0.price',
    ],
    [
      'money as a text',
      { commerce: { shippingMethods: [{ id: 'a', price: '5 USD' }] } },
      'commerce.shippingMethods.0.price',
    ],
    [
      'negative money',
      { commerce: { shippingMethods: [{ id: 'a', price: usd(-1) }] } },
      'commerce.shippingMethods.0.price',
    ],
    [
      'foreign money',
      { commerce: { shippingMethods: [{ id: 'a', price: { amount: 1, currency: 'EUR' } }] } },
      'commerce.shippingMethods.0.price',
    ],
    ['a fraction of a basis point', { commerce: { tax: { defaultRate: 8.25 } } }, 'commerce.tax.defaultRate'],
    ['a negative threshold', { commerce: { freeShippingOver: -1 } }, 'commerce.freeShippingOver'],
    ['a threshold beyond safe integers', { commerce: { freeShippingOver: 2 ** 53 } }, 'commerce.freeShippingOver'],
    ['an hour that does not exist', { commerce: { cutoffHour: 24 } }, 'commerce.cutoffHour'],
    ['a rail with the limit 0', { home: [{ type: 'product-rail', source: { limit: 0 } }] }, 'home.0.source.limit'],
    ['an object where a list belongs', { home: { 0: { type: 'hero' } } }, 'home'],
    ['a list where an object belongs', { commerce: [] }, 'commerce'],
    ['a text where an object belongs', { store: 'Atelier' }, 'store'],
    ['a feature that is not a boolean', { features: { reviews: 'yes' } }, 'features.reviews'],
    ['a version that is not a number', { version: 'latest' }, 'version'],
    ['a name that is a number', { store: { name: 5 } }, 'store.name'],
    ['a tagline that is a list', { store: { tagline: ['Slow'] } }, 'store.tagline'],
    ['a logo that is a text', { store: { logo: 'x' } }, 'store.logo'],
    ['a mark that is a number', { store: { logo: { wordmark: 5 } } }, 'store.logo.wordmark'],
    ['a currency that is an object', { pricing: { currency: {} } }, 'pricing.currency'],
    ['a locale that is true', { pricing: { locale: true } }, 'pricing.locale'],
    ['currencies that are one text', { pricing: { currencies: 'USD' } }, 'pricing.currencies'],
    ['a threshold that is a text', { commerce: { freeShippingOver: '150' } }, 'commerce.freeShippingOver'],
    ['methods by their names', { commerce: { shippingMethods: { post: usd(5) } } }, 'commerce.shippingMethods'],
    ['countries that are one text', { commerce: { countries: 'US' } }, 'commerce.countries'],
    ['a country that is a number', { commerce: { countries: [1] } }, 'commerce.countries.0'],
    ['a wishlist that is a number', { features: { wishlist: 1 } }, 'features.wishlist'],
    ['navigation that is a list', { navigation: [] }, 'navigation'],
    ['links that are an object', { navigation: { primary: {} } }, 'navigation.primary'],
    ['a link that is a number', { navigation: { primary: [{ label: 'Women' }, 5] } }, 'navigation.primary.1'],
    ['a footer that is a text', { navigation: { footer: 'x' } }, 'navigation.footer'],
    ['a column that is a list', { navigation: { footer: [[]] } }, 'navigation.footer.0'],
    ['an announcement that is a text', { navigation: { announcement: 'x' } }, 'navigation.announcement'],
    [
      'messages that are one text',
      { navigation: { announcement: { messages: 'x' } } },
      'navigation.announcement.messages',
    ],
    [
      'a message that is null',
      { navigation: { announcement: { messages: [null] } } },
      'navigation.announcement.messages.0',
    ],
    ['a section without a type', { home: [{ title: 'x' }] }, 'home.0.type'],
    ['a section that is a text', { home: ['hero'] }, 'home.0'],
    ['a strategy that is a number', { recommendations: { strategy: 1 } }, 'recommendations.strategy'],
    ['a limit that is a fraction', { recommendations: { limit: 1.5 } }, 'recommendations.limit'],
    ['a mode that is a list', { checkout: { mode: ['demo'] } }, 'checkout.mode'],
    ['an address that is a number', { checkout: { createUrl: 5 } }, 'checkout.createUrl'],
    ['promises that are an object', { promises: {} }, 'promises'],
    ['a promise that is a number', { promises: [5] }, 'promises.0'],
  ])('is rejected: %s', async (_fault, body, path) => {
    expect(await rejected(body)).toContain(path)
    expect((await stored()).version).toBe(base)
  })

  test.each(['[]', '"text"', '7', 'null', ''])('is rejected when it is %j', async (payload) => {
    const { body } = await sendAsAdmin(catalog.app, suite, 'PATCH', '/admin/storefront', payload)
    expect(body).toMatchObject({ code: 'validation_failed' })
  })

  test('is rejected or harmless when it is an attack', async () => {
    const headers = { ...suite.headers.admin(), 'content-type': 'application/json' }
    const send = (payload: string) =>
      catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
    expect((await send(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`)).statusCode).toBe(413)
    expect((await send(`{"a":"${'x'.repeat(600 * 1024)}"}`)).statusCode).toBe(422)
    expect((await send(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).statusCode).toBe(422)
    expect((await send('{"a":"\\u0000"}')).statusCode).toBe(422)
    expect((await send('{"a\\ud800":1}')).statusCode).toBe(422)
    expect((await stored()).version).toBe(base)

    const polluting =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"store":{"__proto__":{"name":"x"}}}'
    expect((await send(polluting)).json()).toMatchObject({ code: 'unknown_field' })
    const allowed = polluting.replace('"constructor"', '"extensions"')
    expect((await send(allowed)).statusCode).toBe(200)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(await shown()).toEqual({
      store: { name: expect.any(String) },
      extensions: { prototype: { polluted: 1 } },
      version: base + 1,
    })
  })

  test('cannot make the document grow without limit in small steps', async () => {
    const part = 'x'.repeat(200 * 1024)
    await change({ extensions: { one: part } })
    await change({ extensions: { two: part } })
    expect(await rejected({ extensions: { three: part } })).toEqual([''])
  })
})

describe('a configuration with secrets', () => {
  beforeEach(reset)

  const faulty = { navigation: { primary: {}, footer: 'x', announcement: { messages: 'x' } } }

  test('is rejected with all its errors, by an import as by a change', async () => {
    const paths = ['navigation.announcement.messages', 'navigation.footer', 'navigation.primary']
    expect((await rejected(faulty)).toSorted()).toEqual(paths)
    for (const mode of ['merge', 'replace']) {
      const response = await importCatalogue(catalog.app, suite, { mode, settings: faulty })
      expect(response.statusCode).toBe(422)
      const issues: { path: string }[] = response.json().detail.issues
      expect(issues.map((issue) => issue.path).toSorted()).toEqual(paths.map((path) => `settings.${path}`))
    }
    expect((await stored()).version).toBe(base)
  })

  test.each([...CREDENTIAL_KEYS])('does not accept %s, at the top or deep inside', async (secret) => {
    const places = {
      [secret]: 'hush',
      checkout: { [secret]: 'hush' },
      home: [{ type: 'hero', own: [{ [secret]: null }] }],
    }
    const expected = [`checkout.${secret}`, `home.0.own.0.${secret}`, secret].toSorted()
    const response = await call('PATCH', '', places)
    expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const issues: { path: string; message: string }[] = response.body.detail.issues
    expect(issues.map((issue) => issue.path).toSorted()).toEqual(expected)
    for (const { message } of issues) expect(message).toContain('POST /admin/credentials')
    expect(JSON.stringify(response.body)).not.toContain('hush')
    const imported = await importCatalogue(catalog.app, suite, { settings: places })
    expect(
      imported
        .json()
        .detail.issues.map((issue: { path: string }) => issue.path)
        .toSorted(),
    ).toEqual(expected.map((path) => `settings.${path}`))
    expect(
      await rejected({ [secret.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()]: 'hush' }),
    ).toHaveLength(1)
    expect((await stored()).version).toBe(base)
  })

  test('is served without them when they were stored before, and loses them with its next change', async () => {
    const old = {
      ...faulty,
      store: { name: 'Old', logo: 'x' },
      promises: [5, 'slow'],
      smtpPassword: 'hush',
      checkout: { mode: 'api', stripeSecretKey: 'hush' },
    }
    const sound = {
      navigation: { announcement: {} },
      store: { name: 'Old' },
      promises: [{ title: 'slow' }],
      checkout: { mode: 'api' },
    }
    const visible = { ...sound, checkout: { mode: 'api', createUrl: '/carts/:cartId/checkout' } }
    const version = base + 1
    await suite.sql('update catalog.settings set version = $1, document = $2::jsonb', [version, JSON.stringify(old)])
    await suite.sql('insert into catalog.settings_versions (version, document, at) values ($1, $2::jsonb, now())', [
      version,
      JSON.stringify(old),
    ])
    const bootstrap = (await catalog.app.inject({ url: '/bootstrap' })).json()
    expect(await stored()).toEqual({ ...sound, version })
    for (const read of [await shown(), bootstrap.storefront]) expect(read).toEqual({ ...visible, version })
    expect((await call('GET', `/versions/${version}`)).body.configuration).toEqual(sound)
    const exported = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin(['catalog:read']) })
    expect(exported.json().settings).toEqual(sound)

    const { body } = await change({ store: { tagline: 'New' } })
    expect(body).toEqual({ ...sound, store: { name: 'Old', tagline: 'New' }, version: version + 1 })
    expect(await suite.sql('select document from catalog.settings')).toEqual([
      { document: { ...sound, store: { name: 'Old', tagline: 'New' } } },
    ])
    const restored = await call('POST', `/versions/${version}/restore`)
    expect(restored.status).toBe(422)
    expect((await stored()).version).toBe(version + 1)
  })

  test('is not restored from its history with a secret', async () => {
    await suite.sql(`insert into catalog.settings_versions (version, document, at) values (0, $1::jsonb, now())`, [
      JSON.stringify({ store: { name: 'Old' }, smtpPassword: 'hush' }),
    ])
    const restored = await call('POST', '/versions/0/restore')
    expect(restored).toMatchObject({ status: 422, body: { detail: { issues: [{ path: 'smtpPassword' }] } } })
    expect((await stored()).version).toBe(base)
  })
})

describe('the history of the configuration', () => {
  beforeEach(reset)

  test('keeps every version with its author and time, latest first, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await change({ store: { name } })
    const { items, total, page, perPage } = await versions('?per_page=2')
    expect({ page, perPage }).toEqual({ page: 1, perPage: 2 })
    expect(items).toEqual([
      { version: base + 3, at: expect.stringMatching(/Z$/), actor: 'user_test' },
      { version: base + 2, at: expect.stringMatching(/Z$/), actor: 'user_test' },
    ])
    const second = await versions('?per_page=2&page=2')
    expect(second.items.map((item: { version: number }) => item.version)).toEqual([base + 1, base])
    expect(second.total).toBe(total)
    expect((await versions('?page=100000')).items).toEqual([])
    const one = await call('GET', `/versions/${base + 1}`)
    expect(one.body).toEqual({
      version: base + 1,
      at: expect.any(String),
      actor: 'user_test',
      configuration: { store: { name: 'one' } },
    })
  })

  test('restores an old version as a new one, and records which', async () => {
    const slow = { icon: 'truck', title: 'slow' }
    await change({ store: { name: 'one' }, promises: [slow] })
    await change({ store: { name: 'two' }, promises: null, home: [] })
    const restored = await call('POST', `/versions/${base + 1}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body).toEqual({ store: { name: 'one' }, promises: [slow], version: base + 3 })
    expect(restored.headers['surrogate-purge']).toBe('settings')
    expect(await shown()).toEqual(restored.body)
    expect((await versions()).items[0]).toMatchObject({ version: base + 3, restoredFrom: base + 1, actor: 'user_test' })
    expect((await call('POST', `/versions/${base + 3}/restore`)).body.version).toBe(base + 3)
  })

  test('does not restore a version that is no longer valid', async () => {
    await change({ pricing: { currency: 'EUR' } })
    await change({ pricing: { currency: 'USD' } })
    await importCatalogue(catalog.app, suite, { products: [shirt('coat')] })
    const response = await call('POST', `/versions/${base + 1}/restore`)
    expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await stored()).version).toBe(base + 2)
  })

  test('does not have versions that never existed', async () => {
    for (const version of [base + 1, 999_999_999_999_999]) {
      expect((await call('GET', `/versions/${version}`)).body.code).toBe('not_found')
      expect((await call('POST', `/versions/${version}/restore`)).body.code).toBe('not_found')
    }
    for (const version of ['-1', '1.5', 'latest', '9'.repeat(40), "1'%20or%201=1"]) {
      expect((await call('GET', `/versions/${version}`)).body.code).toBe('validation_failed')
      expect((await call('POST', `/versions/${version}/restore`)).body.code).toBe('validation_failed')
    }
  })

  test('records the version of an import', async () => {
    await importCatalogue(catalog.app, suite, { settings: { store: { tagline: 'Imported' } } })
    expect((await call('GET', `/versions/${base + 1}`)).body.configuration.store.tagline).toBe('Imported')
  })

  test('cannot be rewritten by the service itself', async () => {
    const rights = await suite.sql<{ kind: string }>(
      `select grantee || ' ' || privilege_type as kind from information_schema.role_table_grants
       where table_schema = 'catalog' and table_name = 'settings_versions' and grantee <> current_user`,
    )
    const role = new URL(suite.databaseUrl('catalog')).username
    expect(rights.map((right) => right.kind).toSorted()).toEqual([`${role} INSERT`, `${role} SELECT`])
  })
})

describe('merchants who change the storefront at the same time', () => {
  beforeEach(reset)

  test('all keep their changes, each in a separate version', async () => {
    const count = 12
    const responses = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        change({ promises: [{ title: `${index}` }], extensions: { [`part${index}`]: index } }),
      ),
    )
    expect(responses.map((response) => response.body.version).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: count }, (_, index) => base + 1 + index),
    )
    expect(Object.keys((await stored()).extensions)).toHaveLength(count)
    const { items } = await versions(`?per_page=${count}`)
    expect(items.map((item: { version: number }) => item.version)).toEqual(
      Array.from({ length: count }, (_, index) => base + count - index),
    )
    // The last of them is in the price projection, in whatever order they were written there.
    expect(Number(await redis.hget(priceSettingsKey(suite.namespace), 'version'))).toBe(base + count)
  })

  test('get a conflict when they send a version that is no longer the latest', async () => {
    const { headers } = await call('GET', '')
    const seen = String(headers['etag'])
    expect(seen).toBe(`"${base}"`)
    const race = await Promise.all(
      ['one', 'two'].map((name) => call('PATCH', '', { store: { name } }, { 'if-match': seen })),
    )
    expect(race.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(race.find((response) => response.status === 409)?.body).toMatchObject({
      code: 'conflict',
      detail: { version: base + 1 },
    })
    const late = await call('POST', `/versions/${base}/restore`, undefined, { 'if-match': seen })
    expect(late.body.code).toBe('conflict')
    await change({ store: { name: 'three' } }, { 'if-match': `"0", "${base + 1}"` })
    await change({ store: { name: 'four' } }, { 'if-match': '*' })
    expect((await call('PATCH', '', { store: { name: 'five' } }, { 'if-match': String(base + 3) })).status).toBe(409)
  })
})

describe('a configuration without permission', () => {
  beforeAll(reset)

  const attempts = () => [
    { method: 'GET' as const, url: '/admin/storefront', isWrite: false },
    { method: 'GET' as const, url: '/admin/storefront/versions', isWrite: false },
    { method: 'GET' as const, url: `/admin/storefront/versions/${base}`, isWrite: false },
    { method: 'PATCH' as const, url: '/admin/storefront', payload: { store: { name: 'Mine' } }, isWrite: true },
    { method: 'DELETE' as const, url: '/admin/storefront/store.tagline', isWrite: true },
    { method: 'POST' as const, url: `/admin/storefront/versions/${base}/restore`, isWrite: true },
  ]

  test.each<[string, () => Headers, number]>([
    ['a caller without an actor', () => ({}), 401],
    ['an anonymous visitor', () => suite.headers.anonymous(), 401],
    ['a customer', () => suite.headers.customer('cus_1'), 403],
    ['an admin with other permissions', () => suite.headers.admin(['orders:write', 'catalog:write']), 403],
  ])('is not returned to %s', async (_who, headers, status) => {
    for (const { isWrite: _isWrite, ...attempt } of attempts()) {
      expect((await catalog.app.inject({ ...attempt, headers: headers() })).statusCode, attempt.url).toBe(status)
    }
    expect((await stored()).version).toBe(base)
  })

  test.each<[Permission, boolean]>([
    ['catalog:read', false],
    ['settings:write', true],
  ])('is open to %s as permitted', async (permission, writes) => {
    for (const { isWrite, ...attempt } of attempts()) {
      const { statusCode } = await catalog.app.inject({ ...attempt, headers: suite.headers.admin([permission]) })
      expect(statusCode, attempt.url).toBe(isWrite === writes ? 200 : 403)
    }
  })

  test('is never stored by a shared cache', async () => {
    for (const { isWrite: _isWrite, ...attempt } of attempts()) {
      const { headers } = await catalog.app.inject({ ...attempt, headers: suite.headers.admin() })
      expect(headers['cache-control'], attempt.url).toBe('private, no-store')
      expect(headers['surrogate-key'], attempt.url).toBeUndefined()
    }
  })
})

import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { EVENTS } from '../events.ts'
import { ReserveInventory } from '../requests.ts'
import { Address, PostalAddress } from './address.ts'
import { Cart, CartLine } from './cart.ts'
import { clampedInteger, ErrorBody, listOf, Slug, Timestamp } from './common.ts'
import { Order, ORDER_STATUSES } from './order.ts'
import { ImageInput, ProductInput } from './product-input.ts'
import { Product } from './product.ts'
import { StorefrontConfiguration } from './storefront.ts'
import { ImportBody } from './transfer.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const accepts = (shape: z.ZodType, value: unknown) => shape.safeParse(value).success

const image = { id: 'img_1', url: 'https://shop.test/1.svg', alt: 'A shirt', width: 800, height: 1000 }
const variant = {
  id: 'var_1',
  sku: 'SHIRT-M',
  options: { Size: 'M' },
  price: usd(4000),
  compareAtPrice: null,
  inventory: 3,
  available: true,
  imageId: 'img_1',
}
const product = {
  id: 'prod_1',
  slug: 'shirt',
  title: 'Shirt',
  subtitle: '',
  description: '',
  details: [],
  care: [],
  price: usd(4000),
  compareAtPrice: null,
  images: [image],
  options: [{ name: 'Size', values: ['M'] }],
  swatches: {},
  variants: [variant],
  categories: [],
  tags: [],
  rating: { average: 0, count: 0 },
  badges: [],
  published: true,
  createdAt: '2030-01-01T00:00:00.000Z',
}

describe('a product that a shopper reads', () => {
  test('may leave out every optional block', () => {
    expect(Product.parse(product)).toEqual(product)
  })

  test.each([
    ['no image', { images: [] }],
    ['images left out', { images: undefined }],
    ['an image without alt', { images: [{ ...image, alt: '' }] }],
    ['an image without address', { images: [{ ...image, url: '' }] }],
    ['no variant', { variants: [] }],
    ['variants left out', { variants: undefined }],
    ['a variant without id', { variants: [{ ...variant, id: '' }] }],
    ['a variant without a picture', { variants: [{ ...variant, imageId: undefined }] }],
    ['a variant with negative stock', { variants: [{ ...variant, inventory: -1 }] }],
    ['no id', { id: '' }],
    ['no slug', { slug: '' }],
    ['no title', { title: '' }],
    ['a price that is a number', { price: 40 }],
    ['a price with a fraction', { price: usd(39.99) }],
    ['an unknown badge', { badges: ['hot'] }],
    ['a date without milliseconds', { createdAt: '2030-01-01T00:00:00Z' }],
    ['a date with an offset', { createdAt: '2030-01-01T00:00:00.000+02:00' }],
  ])('is rejected with %s', (_what, change) => {
    expect(accepts(Product, { ...product, ...change })).toBe(false)
  })
})

describe('a product that a merchant writes', () => {
  test('needs only a title, and is published by default', () => {
    expect(ProductInput.parse({ title: 'Shirt' })).toMatchObject({ published: true, images: [], variants: [] })
  })

  test.each([
    ['no title', {}],
    ['a blank title', { title: ' ' }],
    ['an invalid slug', { title: 'A', slug: 'A Shirt' }],
    ['a negative price', { title: 'A', price: usd(-1) }],
    ['stock below zero', { title: 'A', variants: [{ inventory: -1 }] }],
    ['half a unit in stock', { title: 'A', variants: [{ inventory: 0.5 }] }],
    ['a tag that is too long', { title: 'A', tags: ['x'.repeat(101)] }],
    ['an option without a name', { title: 'A', options: [{ name: ' ', values: [] }] }],
    ['a blank value of an option', { title: 'A', options: [{ name: 'Size', values: ['S', ' '] }] }],
    ['a variant of a blank size', { title: 'A', variants: [{ options: { Size: '\t' } }] }],
    ['a swatch that is not a hex color', { title: 'A', swatches: { Red: 'red' } }],
    ['more badges than exist', { title: 'A', badges: ['new', 'sale', 'new', 'sale', 'new', 'sale'] }],
  ])('is rejected with %s', (_what, value) => {
    expect(accepts(ProductInput, value)).toBe(false)
  })

  test('has no surrounding white space in the values that shoppers choose and filter by', () => {
    const untidy = {
      title: 'A',
      tags: [' new in ', '', '\u00A0'],
      options: [{ name: ' Size', values: ['S ', ' M'] }],
      variants: [{ options: { 'Size ': ' S' } }],
      swatches: { ' Red': '#Ff0000' },
    }
    expect(ProductInput.parse(untidy)).toMatchObject({
      tags: ['new in'],
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [{ options: { Size: 'S' } }],
      swatches: { Red: '#Ff0000' },
    })
  })

  test('may leave out the alt of an image but not leave it blank', () => {
    expect(accepts(ImageInput, { url: '/media/1.svg' })).toBe(true)
    expect(accepts(ImageInput, { url: '/media/1.svg', alt: '  ' })).toBe(false)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://shop.test/1', 'media/1.svg', ''])(
    'cannot have an image at %s',
    (url) => {
      expect(accepts(ImageInput, { url })).toBe(false)
    },
  )
})

describe('a cart and an order', () => {
  const line = {
    id: 'line_1',
    variantId: 'var_1',
    productSlug: 'shirt',
    title: 'Shirt',
    options: { Size: 'M' },
    image: { url: '/1.svg', alt: 'A shirt' },
    quantity: 1,
    unitPrice: usd(4000),
    lineTotal: usd(4000),
  }
  const amounts = { subtotal: usd(4000), discount: usd(0), shipping: usd(0), tax: usd(320), total: usd(4320) }
  const cart = { id: 'cart_1', currency: 'USD', lines: [line], ...amounts }
  const remaining = { freeShippingThreshold: usd(0), freeShippingRemaining: usd(0) }
  const order = {
    id: 'order_1',
    number: 'SF-10001',
    status: 'placed',
    placedAt: '2030-01-01T00:00:00.000Z',
    lines: [line],
    ...amounts,
    shippingAddress: Address.parse({ name: 'Ada' }),
    shippingMethod: 'standard',
    email: 'ada@mail.example',
    payment: { provider: 'demo', status: 'pending' },
    refunds: [],
    refundedTotal: usd(0),
  }

  test('contain all their amounts', () => {
    expect(accepts(Cart, { ...cart, ...remaining })).toBe(true)
    expect(accepts(Cart, cart)).toBe(false)
    expect(accepts(Cart, { ...cart, ...remaining, total: undefined })).toBe(false)
    expect(accepts(Cart, { ...cart, ...remaining, total: 43.2 })).toBe(false)
  })

  test.each([0, -1, 1.5, '1'])('cannot have a line with the quantity %s', (quantity) => {
    expect(accepts(CartLine, { ...line, quantity })).toBe(false)
  })

  test('have only the five statuses', () => {
    for (const status of ORDER_STATUSES) expect(accepts(Order, { ...order, status })).toBe(true)
    for (const status of ['shipped', 'PAID', '']) expect(accepts(Order, { ...order, status })).toBe(false)
  })
})

describe('an address', () => {
  test('consists of strings, and those that were left out are empty', () => {
    expect(Address.parse({ name: 'Ada' })).toEqual({
      name: 'Ada',
      line1: '',
      line2: '',
      city: '',
      region: '',
      postalCode: '',
      country: '',
      phone: '',
    })
  })

  test.each([{ name: 1 }, { line1: null }, { city: 'x'.repeat(301) }, { country: 'Germany' }, [], 'home', null])(
    'is rejected when it is %j',
    (value) => {
      expect(accepts(Address, value)).toBe(false)
    },
  )
})

describe('a postal address as it is sent', () => {
  test('keeps no characters that control a screen or the direction of text', () => {
    const sent = {
      name: 'Ada\u0000 \u202eevoL',
      line1: '12\tWay\r\nFlat 3',
      phone: '\u001b[2J1',
      city: 'S\u00e3o Paulo',
    }
    expect(PostalAddress.parse(sent)).toMatchObject({
      name: 'Ada   evoL',
      line1: '12 Way Flat 3',
      phone: ' [2J1',
      city: 'S\u00e3o Paulo',
      line2: '',
    })
    const bounds = {
      name: 100,
      line1: 200,
      line2: 200,
      city: 100,
      region: 100,
      postalCode: 20,
      phone: 50,
      country: 100,
    }
    for (const [field, length] of Object.entries(bounds)) {
      expect(accepts(PostalAddress, { [field]: 'x'.repeat(length) })).toBe(true)
      expect(accepts(PostalAddress, { [field]: 'x'.repeat(length + 1) })).toBe(false)
    }
  })
})

describe('small shapes', () => {
  test('a slug is lower-case words joined by single hyphens', () => {
    for (const slug of ['shirt', 'linen-shirt-2']) expect(accepts(Slug, slug)).toBe(true)
    for (const slug of ['', '-a', 'a-', 'a--b', 'A', 'a b', 'é', 'a/b', 'x'.repeat(201)]) {
      expect(accepts(Slug, slug)).toBe(false)
    }
  })

  test('a timestamp is UTC with milliseconds, as Date writes it', () => {
    expect(accepts(Timestamp, new Date(0).toISOString())).toBe(true)
    for (const text of ['2030-01-01', '2030-01-01T00:00:00Z', '2030-13-01T00:00:00.000Z', 0]) {
      expect(accepts(Timestamp, text)).toBe(false)
    }
  })

  test('a list is items with a total, never a bare array', () => {
    expect(accepts(listOf(Slug), { items: ['a'], total: 1 })).toBe(true)
    for (const value of [['a'], { items: ['a'] }, { items: ['a'], total: -1 }, { total: 1 }]) {
      expect(accepts(listOf(Slug), value)).toBe(false)
    }
  })

  test('an error has a message, a code and a request id', () => {
    const error = { message: 'No.', code: 'not_found', requestId: 'req_1' }
    expect(accepts(ErrorBody, error)).toBe(true)
    for (const key of Object.keys(error)) expect(accepts(ErrorBody, { ...error, [key]: undefined })).toBe(false)
  })

  test('a whole number in a query is clamped, and anything else is rejected', () => {
    const perPage = clampedInteger({ default: 12, min: 1, max: 48 })
    const texts = [
      undefined,
      '0',
      '-7',
      '5',
      '048',
      '999999999999',
      '9'.repeat(16),
      '9'.repeat(500),
      `-${'9'.repeat(500)}`,
    ]
    expect(texts.map((text) => perPage.parse(text))).toEqual([12, 1, 1, 5, 48, 48, 48, 48, 1])
    for (const text of ['', '-', '--1', '+1', 'two', '1.5', '1e3', ' 1', '1\n', '0x10', '١']) {
      expect(accepts(perPage, text)).toBe(false)
    }
  })

  test('a configuration keeps keys that only the client uses', () => {
    const document = { version: 2, hero: { title: 'Hi' }, commerce: { gift: true } }
    expect(StorefrontConfiguration.parse(document)).toEqual(document)
  })

  test('an import has two modes, and missing lists count as empty', () => {
    expect(ImportBody.parse({ mode: 'merge' })).toMatchObject({ products: [], categories: [], reviews: [] })
    for (const mode of [undefined, 'append', 'MERGE']) expect(accepts(ImportBody, { mode })).toBe(false)
  })
})

describe('messages between services', () => {
  test('a reservation has lines, and each has a quantity', () => {
    const request = { reservationId: 'res_1', lines: [{ variantId: 'var_1', quantity: 1 }], ttlSeconds: 600 }
    expect(accepts(ReserveInventory.request, request)).toBe(true)
    for (const change of [
      { lines: [] },
      { lines: [{ variantId: 'var_1', quantity: 0 }] },
      { lines: [{ variantId: '', quantity: 1 }] },
      { ttlSeconds: 0 },
      { reservationId: '' },
    ]) {
      expect(accepts(ReserveInventory.request, { ...request, ...change })).toBe(false)
    }
  })

  test('no event is empty', () => {
    for (const event of EVENTS) expect(accepts(event.data, {}), event.name).toBe(false)
  })
})

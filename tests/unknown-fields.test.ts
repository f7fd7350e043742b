import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Order, type Product } from '@storefront/contracts'
import { openShop, type TestShop } from './support/shop.ts'

const ErrorReply = z.object({ code: z.string(), message: z.string(), detail: z.json().optional() })
const Identified = z.looseObject({ id: z.string() })
const List = z.object({ items: z.array(z.record(z.string(), z.json())) })

let shop: TestShop
let product: Product
let orderId: string

const send = (method: string, path: string, body?: unknown) => shop.admin.call(method, path, body)

beforeAll(async () => {
  shop = await openShop()
  product = await shop.stockProduct('linen', 20)
  orderId = (await shop.client().buy(product.variants[0]?.id ?? '')).id
})
afterAll(() => shop.stop())

/** Mistakes of merchants and their programs that once got 200, and what the error suggests. */
const SWALLOWED: [string, () => [method: string, path: string, body?: unknown], string][] = [
  [
    'tracking.number',
    () => ['PATCH', `/admin/orders/${orderId}`, { tracking: { carrier: 'UPS', number: '1Z999' } }],
    'Unknown field `tracking.number`. Did you mean `tracking.code`?',
  ],
  [
    'startsOn',
    () => ['POST', '/admin/discounts', { code: 'TEN', kind: 'percent', value: 10, startsOn: '2026-12-01' }],
    'Unknown field `startsOn`. Did you mean `startsAt`?',
  ],
  [
    'automatic',
    () => ['POST', '/admin/discounts', { code: 'TEN', kind: 'percent', value: 10, automatic: true }],
    'Unknown field `automatic`. Valid here: `code`, `kind`, `value`, `label`, `active`, `startsAt`',
  ],
  ['an action', () => ['PATCH', `/admin/orders/${orderId}`, { action: 'ship' }], 'Did you mean `status`?'],
  [
    'email=',
    () => ['GET', '/admin/orders?email=ada@example.com'],
    'Unknown parameter `email`. Did you mean `customer`?',
  ],
  [
    'freeshippingOver',
    () => ['PATCH', '/admin/storefront', { freeshippingOver: 5000 }],
    'Unknown field `freeshippingOver`. Did you mean `commerce.freeShippingOver`?',
  ],
  [
    'a mistyped kind of mail',
    () => ['PATCH', '/admin/storefront', { notifications: { events: { paymentCatpured: false } } }],
    'Did you mean `notifications.events.paymentCaptured`?',
  ],
  [
    'dryrun in an import',
    () => ['POST', '/admin/import', { mode: 'merge', dryrun: true, products: [] }],
    'Nothing was imported: one error to fix. Unknown field `dryrun`. Did you mean `dry_run`?',
  ],
  [
    'dry-run=',
    () => ['POST', '/admin/import?dry-run=1', { mode: 'merge', products: [] }],
    'Unknown parameter `dry-run`. Did you mean `dry_run`?',
  ],
]

describe('a name that does not exist', () => {
  test.each(SWALLOWED)('is rejected with a suggestion: %s', async (_name, request, message) => {
    const { status, body } = await send(...request())
    expect(status).toBe(422)
    const error = ErrorReply.parse(body)
    expect(error.code).toBe('unknown_field')
    expect(error.message).toContain(message)
  })

  test('rejects its whole request', async () => {
    expect((await send('GET', '/admin/discounts/TEN')).status).toBe(404)
    expect((await send('GET', `/admin/orders/${orderId}`)).body).not.toHaveProperty('tracking')
  })

  test.each([{ dry_run: true }, { dryRun: true }])('an import with %j changes nothing', async (flag) => {
    const hat = { slug: 'hat', title: 'Hat', price: { amount: 3900, currency: 'USD' } }
    const { status, body } = await send('POST', '/admin/import', { mode: 'merge', ...flag, products: [hat] })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { dryRun: true, counts: { products: { created: 1 } } },
    })
    expect((await shop.client().get('/products/hat')).status).toBe(404)
  })

  test('of a product, a category, an option or its value is rejected', async () => {
    const discount = { code: 'TEN', kind: 'percent', value: 10 }
    const faulty: [string, string, object][] = [
      ['POST', '/admin/discounts', { ...discount, products: ['linnen'] }],
      ['POST', '/admin/discounts', { ...discount, categories: ['hats'] }],
      ['POST', `/admin/products/${product.id}/variants`, { sku: 'NEW', options: { Size: 'XXL' } }],
      ['POST', `/admin/products/${product.id}/variants`, { sku: 'NEW', options: { Colour: 'Navy' } }],
    ]
    for (const request of faulty) {
      expect(await send(...request), JSON.stringify(request)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      })
    }
  })
})

describe('a record that is read and sent back complete', () => {
  /** The times and counters that the save itself changes. */
  const withoutTimestamps = (record: unknown) => {
    const { updatedAt: _at, version: _version, ...rest } = z.looseObject({}).parse(record)
    return rest
  }
  const first = async (path: string) => {
    const [item] = List.parse((await send('GET', path)).body).items
    if (item === undefined) throw new Error(`nothing at ${path}`)
    return item
  }

  beforeAll(async () => {
    const made: [string, object][] = [
      ['/admin/categories', { slug: 'shirts', name: 'Shirts' }],
      ['/admin/collections', { slug: 'summer', title: 'Summer', products: ['linen'] }],
      ['/admin/discounts', { code: 'SUMMER', kind: 'fixed', value: 500, minSubtotal: 4000, products: ['linen'] }],
      ['/admin/size-charts', { id: 'shirts', unit: 'cm', columns: ['Size', 'Chest'], rows: [['M', 51.5]] }],
      ['/admin/library/attributes', { key: 'collar', label: 'Collar', values: ['Spread'] }],
      ['/admin/library/features', { icon: 'leaf', title: 'Linen', body: 'From Belgium' }],
      ['/admin/library/assurances', { icon: 'package', label: 'Free returns' }],
      ['/admin/webhooks', { url: `${shop.receiver.url}/erp`, types: ['order.paid'] }],
      [
        '/admin/users',
        {
          email: 'kay@mail.example',
          name: 'Kay',
          role: 'support',
          password: 'a password of some length',
          currentPassword: shop.shop.adminPassword,
        },
      ],
    ]
    for (const [path, body] of made) expect(await send('POST', path, body), path).toMatchObject({ status: 200 })
    const customer = shop.client()
    await customer.register('ada@mail.example')
    await customer.post('/products/linen/reviews', { author: 'Ada', rating: 5, body: 'Cool in summer' })
  })

  const library = async (kind: 'attributes' | 'features' | 'assurances') => {
    const whole = z.record(z.string(), z.array(Identified)).parse((await send('GET', '/admin/library')).body)
    return whole[kind]?.[0]
  }
  const RECORDS: Record<string, { read: () => Promise<unknown>; save: (record: unknown) => [string, string] }> = {
    'a product': {
      read: async () => (await send('GET', `/admin/products/${product.id}`)).body,
      save: () => ['PATCH', `/admin/products/${product.id}`],
    },
    'a category': { read: () => first('/admin/categories'), save: () => ['POST', '/admin/categories'] },
    'a collection': {
      read: async () => (await send('GET', '/admin/collections/summer')).body,
      save: () => ['POST', '/admin/collections'],
    },
    'a discount, changed': {
      read: async () => (await send('GET', '/admin/discounts/SUMMER')).body,
      save: () => ['PATCH', '/admin/discounts/SUMMER'],
    },
    'a discount, saved': {
      read: async () => (await send('GET', '/admin/discounts/SUMMER')).body,
      save: () => ['POST', '/admin/discounts'],
    },
    'a size chart': { read: () => first('/admin/size-charts'), save: () => ['POST', '/admin/size-charts'] },
    'an attribute': { read: () => library('attributes'), save: () => ['POST', '/admin/library/attributes'] },
    'a feature': { read: () => library('features'), save: () => ['POST', '/admin/library/features'] },
    'an assurance': { read: () => library('assurances'), save: () => ['POST', '/admin/library/assurances'] },
    'the configuration': {
      read: async () => (await send('GET', '/admin/storefront')).body,
      save: () => ['PATCH', '/admin/storefront'],
    },
    'an order': {
      read: async () => (await send('GET', `/admin/orders/${orderId}`)).body,
      save: () => ['PATCH', `/admin/orders/${orderId}`],
    },
    'a review': {
      read: () => first('/admin/reviews'),
      save: (review) => ['PATCH', `/admin/reviews/${Identified.parse(review).id}`],
    },
    'a webhook endpoint': {
      read: async () => {
        const { items } = List.parse((await send('GET', '/admin/webhooks')).body)
        return items.find(({ url }) => url === `${shop.receiver.url}/erp`)
      },
      save: (endpoint) => ['PATCH', `/admin/webhooks/${Identified.parse(endpoint).id}`],
    },
    'an admin user': {
      read: async () => {
        const { items } = List.parse((await send('GET', '/admin/users')).body)
        return items.find(({ email }) => email === 'kay@mail.example')
      },
      save: (user) => ['PATCH', `/admin/users/${Identified.parse(user).id}`],
    },
  }

  test.each(Object.entries(RECORDS))('is accepted, and unchanged: %s', async (_name, { read, save }) => {
    const record = await read()
    const [method, path] = save(record)
    const saved = await send(method, path, record)
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect(withoutTimestamps(await read())).toEqual(withoutTimestamps(record))
  })

  const variantId = () => product.variants[0]?.id ?? ''
  const post = async (path: string, body: unknown) => Identified.parse((await send('POST', path, body)).body)
  /** Writes whose reply has a field that the record does not have, and the address of the record. */
  const WRITES: Record<string, [reply: () => Promise<z.output<typeof Identified>>, address: string]> = {
    created: [
      async () => {
        const cart = await shop.client().cartWith(variantId())
        return post('/admin/orders', { cart_id: cart.id, email: 'ada@mail.example' })
      },
      '/admin/orders',
    ],
    url: [
      async () => {
        const { shippingAddress, email } = Order.parse((await send('GET', `/admin/orders/${orderId}`)).body)
        const lines = [{ variantId: variantId(), quantity: 1 }]
        const { id } = await post('/admin/draft-orders', { lines, email, shippingAddress })
        return post(`/admin/draft-orders/${id}/send`, { mail: false })
      },
      '/admin/draft-orders',
    ],
    replayed: [
      async () => {
        const [path, body] = [`/admin/variants/${variantId()}/inventory`, { delta: 1, operationId: 'count-1' }]
        await post(path, body)
        return post(path, body)
      },
      '/admin/products/linen/variants',
    ],
    delta: [
      async () => {
        const set = await send('PATCH', `/admin/variants/${variantId()}/inventory`, { quantity: 9 })
        return Identified.parse(set.body)
      },
      '/admin/products/linen/variants',
    ],
    secret: [() => post('/admin/webhooks', { url: `${shop.receiver.url}/crm` }), '/admin/webhooks'],
  }

  test.each(Object.entries(WRITES))('is accepted as a write has replied: %s', async (field, [write, address]) => {
    const reply = await write()
    const { [field]: extra, ...record } = reply
    expect(extra).toBeDefined()
    const path = `${address.replace('linen', product.id)}/${reply.id}`
    const saved = await send('PATCH', path, reply)
    expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200, body: withoutTimestamps(record) })
  })

  test.each<[string, string, unknown]>([
    ['a product', 'rating', { average: 5, count: 1000 }],
    ['a discount, changed', 'used', 0.5],
    ['an order', 'total', { amount: 1, currency: 'USD' }],
    ['an order', 'number', 'SF-1'],
    ['a review', 'rating', 1],
    ['a webhook endpoint', 'createdAt', '2020-01-01T00:00:00.000Z'],
    ['an admin user', 'email', 'owner@mail.example'],
    ['an admin user', 'permissions', ['admins:write']],
    ['an attribute', 'custom', false],
  ])('has read-only fields: %s rejects another %s', async (name, field, value) => {
    const kind = RECORDS[name]
    const record = await kind?.read()
    const [method = '', path = ''] = kind?.save(record) ?? []
    // The fields that a write requires, without those that would make it a complete record.
    const { status, key, label } = z.record(z.string(), z.json()).parse(record)
    const needed = { 'a review': { status }, 'an attribute': { key, label } }[name]
    const rejected = await send(method, path, { ...needed, [field]: value })
    expect(rejected).toMatchObject({ status: 422, body: { code: 'read_only_field', detail: { path: field } } })
    expect(ErrorReply.parse(rejected.body).message).toBe(
      `The field \`${field}\` is read-only and cannot be changed here.`,
    )
  })
})

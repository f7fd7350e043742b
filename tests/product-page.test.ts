import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminProduct, Cart, ImportBody, listOf, Order, Product, ProductList } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'

interface Given {
  options: { name: string; values: string[] }[]
  variants: Record<string, string>[]
}

const option = (name: string, ...values: string[]) => ({ name, values })

/** All combinations of the values of these options. */
function combinations([first, ...others]: Given['options']): Record<string, string>[] {
  if (!first) return [{}]
  return first.values.flatMap((value) => combinations(others).map((rest) => ({ [first.name]: value, ...rest })))
}

const product = (...options: Given['options']): Given => ({ options, variants: combinations(options) })

const PRODUCTS: Record<string, Given> = {
  'without-options': product(),
  'with-sizes': product(option('Size', 'S', 'M', 'L')),
  'with-colors': product(option('Color', 'Navy', 'Sand')),
  'with-materials': product(option('Material', 'Linen', 'Wool', 'Silk')),
  'with-colors-and-sizes': product(option('Color', 'Navy', 'Sand'), option('Size', 'S', 'M')),
  'with-lengths': product(option('Length', 'Short', 'Long'), option('Color', 'Navy', 'Sand'), option('Size', 'S', 'M')),
  'with-other-spellings': product(option('Colour', 'Navy', 'Sand'), option('size', 'S', 'M')),
}
const SLUGS = Object.keys(PRODUCTS)

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  const products = Object.entries(PRODUCTS).map(([slug, { options, variants }]) => ({
    slug,
    title: slug,
    price: { amount: 1000, currency: 'USD' },
    tags: ['all'],
    options,
    variants: variants.map((chosen) => ({ options: chosen, inventory: 3 })),
  }))
  const home = [{ type: 'product-rail', source: { limit: 12 } }]
  const response = await shop.admin.post('/admin/import', { mode: 'merge', products, settings: { home } })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
})

afterAll(() => stopAfter(expectLedgerBalanced(shop), shop))

const page = async (slug: string) => Product.parse((await shop.client().get(`/products/${slug}`)).body)

/**
 * The variants that a shopper can choose on the product page of the client. It reads the values of the options `Color`
 * and `Size`, chooses the first color in stock, waits for a size, and takes the first variant that has exactly both.
 */
function reachable({ options, variants }: Product): string[] {
  const valuesOf = (name: string) => options.find((each) => each.name === name)?.values
  const colors = valuesOf('Color') ?? [null]
  const found = colors.flatMap((color) =>
    (valuesOf('Size') ?? []).map((size) =>
      variants.find((variant) => variant.options['Color'] === color && variant.options['Size'] === size),
    ),
  )
  return found.flatMap((variant) => (variant?.available === true ? [variant.id] : []))
}

test.each(SLUGS)('every variant of the product %s can be chosen on its page and bought', async (slug) => {
  const shown = await page(slug)
  const given = PRODUCTS[slug]
  expect(reachable(shown)).toHaveLength(given?.variants.length ?? 0)
  const shopper = shop.client()
  const { id } = Cart.parse((await shopper.post('/carts', {})).body)
  for (const variantId of reachable(shown)) {
    const added = await shopper.post(`/carts/${id}/lines`, { variant_id: variantId, quantity: 1 })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
  }
  const asWritten = (lines: readonly { options: Record<string, string> }[]) =>
    lines.map(({ options }) => JSON.stringify(options)).toSorted()
  const expected = given?.variants.map((chosen) => JSON.stringify(chosen)).toSorted()
  const cart = Cart.parse((await shopper.get(`/carts/${id}`)).body)
  expect(asWritten(cart.lines), 'in the cart').toEqual(expected)

  const order = Order.parse((await shopper.checkOut(id)).body)
  expect(asWritten(order.lines), 'in the order').toEqual(expected)
  const [read, merchants] = [
    await shopper.get(`/orders/${order.id}`),
    await shop.admin.get(`/admin/orders/${order.id}`),
  ]
  expect(asWritten(Order.parse(read.body).lines), 'in the order as it is read').toEqual(expected)
  expect(asWritten(Order.parse(merchants.body).lines), 'in the order as the merchant reads it').toEqual(expected)
})

test('lists, rails, related products and wishlists show the options of the page, and merchants their own', async () => {
  const shopper = shop.client()
  await shopper.register('grace@example.com')
  for (const slug of SLUGS) await shopper.post('/me/wishlist', { product_slug: slug })
  const Items = listOf(Product)
  const readers: [string, () => Promise<Product[]>][] = [
    ['the list', async () => ProductList.parse((await shopper.get('/products?per_page=48')).body).items],
    ['the list by slugs', async () => shopper.products(`?slugs=${SLUGS.join(',')}`)],
    ['the wishlist', async () => Items.parse((await shopper.get('/me/wishlist')).body).items],
    [
      'the rail',
      async () => {
        const { rails } = z
          .object({ rails: z.record(z.string(), z.array(Product)) })
          .parse((await shopper.get('/bootstrap')).body)
        return Object.values(rails).flat()
      },
    ],
    [
      'what is related',
      async () => Items.parse((await shopper.get('/products/without-options/related?limit=48')).body).items,
    ],
  ]
  for (const [what, reader] of readers) {
    const items = new Map((await reader()).map((item) => [item.slug, item]))
    for (const slug of SLUGS) {
      if (what === 'what is related' && slug === 'without-options') continue
      const { options, variants } = await page(slug)
      const chosen = variants.map((variant) => variant.options)
      const item = items.get(slug)
      expect([item?.options, item?.variants.map((variant) => variant.options)], `${slug} in ${what}`).toEqual([
        options,
        chosen,
      ])
    }
  }
  const { facets } = ProductList.parse((await shopper.get('/products')).body)
  expect(facets.sizes).toEqual(['S', 'M', 'L'])
  expect(facets.colors.map(({ name }) => name)).toEqual(['Navy', 'Sand'])

  const admin = z.object({ items: z.array(AdminProduct) }).parse((await shop.admin.get('/admin/products')).body).items
  const exported = ImportBody.parse({ mode: 'merge', ...Object((await shop.admin.get('/admin/export')).body) }).products
  for (const slug of SLUGS) {
    for (const written of [admin, exported].map((all) => all.find((each) => each.slug === slug))) {
      expect(written?.options, slug).toEqual(PRODUCTS[slug]?.options)
      expect(JSON.stringify(written?.variants.map((variant) => variant.options))).toBe(
        JSON.stringify(PRODUCTS[slug]?.variants),
      )
    }
  }
})

test('a line whose product is withdrawn keeps the order of its options', async () => {
  const shopper = shop.client()
  const { variants } = await page('with-lengths')
  const cart = await shopper.cartWith(variants[0]?.id ?? '')
  const names = ['Length', 'Color', 'Size']
  expect(Object.keys(cart.lines[0]?.options ?? {})).toEqual(names)
  const { items } = z
    .object({ items: z.array(AdminProduct) })
    .parse((await shop.admin.get('/admin/products?q=with-lengths')).body)
  await shop.admin.call('PATCH', `/admin/products/${items[0]?.id}`, { published: false })
  const withdrawn = await waitFor('the withdrawal', async () => {
    const [line] = Cart.parse((await shopper.get(`/carts/${cart.id}`)).body).lines
    return line?.available === false && line
  })
  expect(Object.keys(withdrawn.options)).toEqual(names)
})

import { describe, expect, test } from 'vitest'
import { HOME_SECTION_TYPES, ICONS, StorefrontConfiguration } from '@storefront/contracts'
import { demoPictures, demoShop } from './index.ts'

const now = new Date('2026-11-21T09:30:00Z')
const shop = demoShop({ now })
const { products, categories, collections, sizeCharts, reviews, discounts } = shop
const slugs = new Set(products.map((product) => product.slug))
const units = (product: (typeof products)[number]): number =>
  product.variants.reduce((sum, variant) => sum + variant.inventory, 0)

/** The reduction of a price from its previous one, in percent. */
function reduction(product: (typeof products)[number]): number {
  const before = product.compareAtPrice?.amount
  return before === undefined ? 0 : ((before - product.price.amount) * 100) / before
}

function* moneyIn(value: unknown): Iterable<{ amount: unknown; currency: unknown }> {
  if (typeof value !== 'object' || value === null) return
  if ('amount' in value && 'currency' in value) yield value
  else for (const inner of Object.values(value)) yield* moneyIn(inner)
}

function* iconsIn(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return
  if ('icon' in value) yield value.icon
  for (const inner of Object.values(value)) yield* iconsIn(inner)
}

/** The targets of links and buttons. */
function* targetsIn(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'to' || key === 'ctaTo' || key === 'termsUrl') && typeof inner === 'string') yield inner
    else yield* targetsIn(inner)
  }
}

describe('the demo shop', () => {
  test('is big enough to show to a merchant', () => {
    expect(products.length).toBeGreaterThanOrEqual(56)
    expect(collections.length).toBeGreaterThanOrEqual(4)
    expect(sizeCharts.length).toBeGreaterThanOrEqual(3)
    expect(reviews.length).toBeGreaterThanOrEqual(140)
    expect(reviews.length).toBeLessThanOrEqual(200)
    expect(discounts.map((discount) => discount.code)).toEqual(
      expect.arrayContaining(['WELCOME10', 'FREESHIP', 'SAVE20']),
    )
  })

  test('is the same for the same moment, and its dates move with a later one', () => {
    expect(JSON.stringify(demoShop({ now }))).toBe(JSON.stringify(shop))
    const later = demoShop({ now: new Date(now.getTime() + 10 * 86_400_000) })
    expect(Date.parse(later.products[0]?.createdAt ?? '')).toBeGreaterThan(Date.parse(products[0]?.createdAt ?? ''))
  })

  test('has slugs and SKUs that are unique and readable', () => {
    const skus = products.flatMap((product) => product.variants.map((variant) => variant.sku))
    expect(slugs.size).toBe(products.length)
    expect(new Set(skus).size).toBe(skus.length)
    for (const sku of skus) expect(sku).toMatch(/^[A-Z0-9]+(-[A-Z0-9]+)*$/)
    for (const { slug } of [...products, ...categories, ...collections])
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('refers only to items that it contains', () => {
    const known = new Set(categories.map((category) => category.slug))
    const charts = new Set(sizeCharts.map((chart) => chart.id))
    const related = products.flatMap((product) => product.relatedSlugs ?? [])
    expect(categories.filter(({ parent }) => parent !== null && !known.has(parent))).toEqual([])
    expect(products.filter(({ sizeChartId }) => sizeChartId !== undefined && !charts.has(sizeChartId))).toEqual([])
    expect(related.filter((slug) => !slugs.has(slug))).toEqual([])
    for (const product of products) {
      const images = product.images.map((image) => image.id)
      expect(product.categories.filter((category) => !known.has(category))).toEqual([])
      expect(product.variants.filter(({ imageId }) => imageId === undefined || !images.includes(imageId))).toEqual([])
    }
    for (const slug of collections.flatMap((collection) => collection.products)) expect(slugs).toContain(slug)
    for (const review of reviews) expect(slugs).toContain(review.product)
    for (const slug of discounts.flatMap((discount) => discount.categories ?? [])) expect(known).toContain(slug)
  })

  test('has a tree of three levels with products in its leaves only, none of them empty', () => {
    const parents = new Set(categories.map((category) => category.parent))
    const parentOf = new Map(categories.map((category) => [category.slug, category.parent]))
    const depth = (slug: string): number => {
      const parent = parentOf.get(slug) ?? null
      return parent === null ? 1 : 1 + depth(parent)
    }
    const filled = new Set(products.flatMap((product) => product.categories))
    const leaves = categories.map((category) => category.slug).filter((slug) => !parents.has(slug))
    expect([...filled].toSorted()).toEqual(leaves.toSorted())
    expect(Math.max(...categories.map((category) => depth(category.slug)))).toBe(3)
    expect(products.some((product) => product.categories.length === 2)).toBe(true)
  })

  test('has amounts in whole cents of one currency', () => {
    for (const money of moneyIn(shop)) {
      expect(money.currency).toBe('USD')
      expect(Number.isSafeInteger(money.amount)).toBe(true)
    }
    for (const product of products) expect(product.price.amount).toBeGreaterThan(0)
  })

  test('sells variants whose options the product offers', () => {
    for (const product of products) {
      const offered = new Map(product.options.map((option) => [option.name, option.values]))
      expect(product.variants.length).toBeGreaterThan(0)
      for (const variant of product.variants) {
        expect(Object.keys(variant.options)).toEqual([...offered.keys()])
        for (const [name, value] of Object.entries(variant.options)) expect(offered.get(name)).toContain(value)
      }
      for (const value of offered.get('Color') ?? []) expect(product.swatches[value]).toMatch(/^#[0-9a-f]{6}$/)
    }
  })

  test('has materials of garments that add up to 100 percent', () => {
    const sums = products.flatMap(({ fabric }) => (fabric === undefined ? [] : [fabric.composition]))
    expect(sums.length).toBeGreaterThan(50)
    expect(new Set(sums.map((materials) => materials.reduce((sum, [, percent]) => sum + percent, 0)))).toEqual(
      new Set([100]),
    )
  })

  test('has every case a storefront must show', () => {
    const published = products.filter((product) => product.published)
    expect(products.length - published.length).toBe(1)
    expect(published.filter((product) => units(product) === 0)).toHaveLength(2)
    expect(published.filter((product) => units(product) >= 1 && units(product) <= 5).length).toBeGreaterThanOrEqual(4)
    expect(
      published.filter((product) => product.variants.some((variant) => variant.inventory === 0)).length,
    ).toBeGreaterThan(30)
    expect(published.filter((product) => reduction(product) >= 20).length).toBeGreaterThanOrEqual(10)
    expect(published.every((product) => reduction(product) <= 40)).toBe(true)
    expect(published.filter((product) => reduction(product) > 0 && reduction(product) < 5)).toHaveLength(2)
    expect(
      published.filter((product) => product.variants.some((variant) => variant.price)).length,
    ).toBeGreaterThanOrEqual(4)
    expect(published.filter((product) => product.variants.length === 1).length).toBeGreaterThanOrEqual(3)
    expect(published.some((product) => product.options.length === 0)).toBe(true)
    const sparse = published.filter(
      (product) => product.variants.length < product.options.reduce((all, option) => all * option.values.length, 1),
    )
    expect(sparse.length).toBeGreaterThanOrEqual(10)
    const fresh = published.filter((product) => now.getTime() - Date.parse(product.createdAt) < 30 * 86_400_000)
    expect(fresh.length).toBeGreaterThanOrEqual(6)
    expect(fresh.length).toBeLessThan(published.length / 3)
    expect(published.some((product) => product.title.length > 70)).toBe(true)
    expect(published.map((product) => product.title).join('')).toMatch(/(?=.*é)(?=.*ø)(?=.*ß)/)
  })

  test('has no fields that the service derives', () => {
    for (const product of products) {
      for (const key of ['rating', 'social', 'sizeChart', 'id']) expect(product).not.toHaveProperty(key)
      expect((product.badges ?? []).every((badge) => badge === 'bestseller')).toBe(true)
    }
  })

  test('has distinct reviews of existing products in existing sizes', () => {
    expect(new Set(reviews.map((review) => review.body)).size).toBe(reviews.length)
    const counts = Map.groupBy(reviews, (review) => review.product)
    expect([...counts.values()].filter((list) => list.length >= 5).length).toBeGreaterThanOrEqual(10)
    expect(products.some((product) => !counts.has(product.slug))).toBe(true)
    for (const review of reviews) {
      const product = products.find(({ slug }) => slug === review.product)
      expect(product?.options.find((option) => option.name === 'Size')?.values).toContain(review.size)
      expect(Date.parse(review.createdAt)).toBeGreaterThan(Date.parse(product?.createdAt ?? ''))
      expect(Date.parse(review.createdAt)).toBeLessThan(now.getTime())
    }
  })

  test('has a home page with a hero and rails, two of which share one source', () => {
    const rails = shop.settings.home.filter((section) => section.type === 'product-rail')
    expect(shop.settings.home[0]?.type).toBe('hero')
    expect(new Set(rails.map(({ source }) => JSON.stringify(source))).size).toBe(rails.length - 1)
  })

  test('has a configuration whose sections and icons the storefront supports', () => {
    expect(StorefrontConfiguration.parse(shop.settings)).toEqual(shop.settings)
    const types = shop.settings.home.map(({ type }) => type)
    expect(HOME_SECTION_TYPES).toEqual(expect.arrayContaining(types))
    const drawn = [...iconsIn(shop)]
    expect(drawn.length).toBeGreaterThan(10)
    for (const icon of drawn) expect(ICONS).toContain(icon)
  })

  test('links only to existing pages', () => {
    const targets = [...targetsIn(shop.settings)]
    expect(targets.length).toBeGreaterThan(20)
    const pages = new Set([
      '/shop',
      '/cart',
      '/account',
      '/wishlist',
      '/orders/lookup',
      ...['shipping', 'size-guide', 'care', 'contact'].map((page) => `/pages/${page}`),
      ...categories.map(({ slug }) => `/shop/${slug}`),
      ...collections.map(({ slug }) => `/collections/${slug}`),
    ])
    for (const target of targets) expect(pages).toContain(target.replace(/\?.*/, ''))
    const parts = shop.settings.navigation.primary.flatMap((item) =>
      'categorySlug' in item ? [item.categorySlug] : [],
    )
    expect(parts.length).toBeGreaterThan(0)
    for (const slug of parts) expect(categories.map((category) => category.slug)).toContain(slug)
    const pictures = new Set([...demoPictures()].map(({ path }) => `/media/${path}`))
    const illustrated = shop.settings.home.filter((section) => 'image' in section)
    expect(illustrated.length).toBeGreaterThan(0)
    for (const { image } of illustrated) expect(pictures).toContain(image?.url)
  })
})

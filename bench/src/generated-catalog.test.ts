import { describe, expect, test } from 'vitest'
import { CategoryInput, CollectionInput, ProductInput } from '@storefront/contracts'
import { LEAVES } from './departments.ts'
import { generateCatalog, generatedCategories, generatedCollections } from './generated-catalog.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const catalog = (seed = 'test', count = 3000) => generateCatalog({ seed, count, now })
const products = [...catalog().chunks(500)].flat()
const variants = products.flatMap((product) => product.variants)
const share = (part: { length: number }, whole: { length: number }) => part.length / whole.length

describe('a generated catalog', () => {
  test('has products, categories and collections that the import accepts', () => {
    for (const product of products) expect(ProductInput.safeParse(product).error).toBeUndefined()
    for (const category of generatedCategories) expect(CategoryInput.safeParse(category).error).toBeUndefined()
    for (const collection of generatedCollections) expect(CollectionInput.safeParse(collection).error).toBeUndefined()
  })

  test('repeats no slug and no SKU', () => {
    expect(new Set(products.map(({ slug }) => slug)).size).toBe(products.length)
    expect(new Set(variants.map(({ sku }) => sku)).size).toBe(variants.length)
  })

  test('is the same for the same seed and differs for another', () => {
    expect([...catalog().chunks(500)].flat()).toEqual(products)
    expect(catalog('other').productAt(7)).not.toEqual(products[7])
    expect(catalog().productAt(1234)).toEqual(products[1234])
    expect(catalog().titleAt(1234)).toMatchObject({ slug: products[1234]?.slug, title: products[1234]?.title })
  })

  test('comes in chunks, the last one with the remaining products', () => {
    expect([...catalog('test', 1100).chunks(500)].map((chunk) => chunk.length)).toEqual([500, 500, 100])
  })

  test('has a category tree of three levels with products in its leaves only', () => {
    const parentOf = new Map(generatedCategories.map(({ slug, parent }) => [slug, parent]))
    const depth = (slug: string | null): number => (slug === null ? 0 : 1 + depth(parentOf.get(slug) ?? null))
    expect(Math.max(...generatedCategories.map(({ slug }) => depth(slug)))).toBe(3)
    expect(new Set(generatedCategories.map(({ slug }) => slug)).size).toBe(generatedCategories.length)
    const leaves = new Set(LEAVES.map(({ slug }) => slug))
    expect(products.every(({ categories }) => categories.every((slug) => leaves.has(slug)))).toBe(true)
  })

  test('gives every product six variants in two colors and three sizes', () => {
    for (const { variants } of products) {
      expect(new Set(variants.map(({ options }) => options['Color'])).size).toBe(2)
      expect(new Set(variants.map(({ options }) => options['Size'])).size).toBe(3)
      expect(variants).toHaveLength(6)
    }
  })

  test('has some words in every sixth title and others in one of a thousand', () => {
    const counts = new Map<string, number>()
    for (const { title } of products) {
      for (const word of new Set(title.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const sorted = [...counts.values()].toSorted((one, other) => other - one)
    expect((sorted[0] ?? 0) / products.length).toBeGreaterThan(0.12)
    expect((sorted[0] ?? 0) / products.length).toBeLessThan(0.2)
    expect((sorted.at(-20) ?? 0) / products.length).toBeLessThan(0.002)
    expect(sorted.length).toBeGreaterThan(200)
  })

  test('has realistic shares of prices, discounts and sold-out products', () => {
    const dollars = products.map(({ price }) => price.amount / 100)
    expect(
      share(
        dollars.filter((price) => price >= 20 && price <= 200),
        dollars,
      ),
    ).toBeGreaterThan(0.85)
    expect(new Set(dollars).size).toBeGreaterThan(500)
    expect(
      share(
        products.filter(({ compareAtPrice }) => compareAtPrice),
        products,
      ),
    ).toBeCloseTo(0.2, 1)
    expect(
      share(
        variants.filter(({ inventory }) => inventory === 0),
        variants,
      ),
    ).toBeCloseTo(0.08, 1.5)
    const soldOut = products.filter(({ variants }) => variants.every(({ inventory }) => inventory === 0))
    expect(share(soldOut, products)).toBeCloseTo(0.03, 1.5)
    expect(
      share(
        products.filter(({ published }) => !published),
        products,
      ),
    ).toBeCloseTo(0.015, 1.5)
  })
})

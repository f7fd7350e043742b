import { z } from 'zod'
import { ON_SALE } from '../task.ts'
import type { VendureShop } from './vendure-shop.ts'

const VALUE = 'Summer'
const Id = z.object({ id: z.string() })
const Shop = z.object({
  promotions: z.object({ items: z.array(Id) }),
  facetValues: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
  products: z.object({
    items: z.array(z.object({ id: z.string(), facetValues: z.array(Id), variants: z.array(Id) })),
  }),
})
const Created = z.object({ createFacet: z.object({ values: z.array(Id) }) })

/** Gives fifty products a facet value in common, and ends the promotions of earlier rounds. */
export async function prepareFacet({ admin }: VendureShop): Promise<{ value: string; variantId: string }> {
  const { promotions, facetValues, products } = await admin.send(
    Shop,
    `{ promotions { items { id } } facetValues(options: { take: 100 }) { items { id name } }
      products(options: { take: ${ON_SALE}, sort: { id: ASC } }) { items { id facetValues { id } variants { id } } } }`,
  )
  if (products.items.length < ON_SALE) throw new Error(`Vendure needs at least ${ON_SALE} products`)
  for (const { id } of promotions.items) {
    await admin.send(z.unknown(), 'mutation ($id: ID!) { deletePromotion(id: $id) { result } }', { id })
  }
  const known = facetValues.items.find(({ name }) => name === VALUE)
  if (!known) {
    const { createFacet } = await admin.send(
      Created,
      `mutation { createFacet(input: { code: "season", isPrivate: false,
        translations: [{ languageCode: en, name: "Season" }],
        values: [{ code: "summer", translations: [{ languageCode: en, name: "${VALUE}" }] }] }) { values { id } } }`,
    )
    const input = products.items.map(({ id, facetValues: has }) => ({
      id,
      facetValueIds: [...has, ...createFacet.values].map((value) => value.id),
    }))
    await admin.send(
      z.unknown(),
      'mutation ($input: [UpdateProductInput!]!) { updateProducts(input: $input) { id } }',
      { input },
    )
  }
  return { value: VALUE, variantId: products.items[0]?.variants[0]?.id ?? '' }
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Money } from '../../../parts/money.ts'
import { shop } from '../../../shop.ts'
import { textOf, valueAt } from '../document.ts'

interface Card {
  id: string
  title: string
  picture: string | undefined
  price?: Money
}

const DEFAULT_LIMIT = 4
const MAX_LIMIT = 12
const SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'] as const

/** What a section of the home page shows, as the shop lists it to shoppers. */
export const cardsQuery = (type: unknown, source: unknown) =>
  queryOptions({
    queryKey: ['preview-cards', type, source],
    queryFn: ({ signal }) => readCards(type, source, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

async function readCards(type: unknown, source: unknown, signal: AbortSignal): Promise<Card[]> {
  const wanted = valueAt(source, ['limit'])
  const limit = Math.min(MAX_LIMIT, typeof wanted === 'number' && wanted > 0 ? wanted : DEFAULT_LIMIT)
  if (type === 'product-rail') return readProducts(source, limit, signal)
  if (type === 'collection-grid') {
    const { items } = await shop.get('/collections', { signal })
    return items.slice(0, limit).map(({ slug, title, image }) => ({ id: slug, title, picture: image?.url }))
  }
  const parent = textOf(valueAt(source, ['parent'])) || null
  const { items } = await shop.get('/categories', { signal })
  return items
    .filter((category) => category.parent === parent)
    .slice(0, limit)
    .map(({ slug, name, image }) => ({ id: slug, title: name, picture: image?.url }))
}

async function readProducts(source: unknown, limit: number, signal: AbortSignal): Promise<Card[]> {
  const category = textOf(valueAt(source, ['category']))
  const collection = textOf(valueAt(source, ['collection']))
  const sort = SORTS.find((each) => each === valueAt(source, ['sort']))
  const query = {
    per_page: limit,
    ...(sort && { sort }),
    ...(category !== '' && { category }),
    ...(collection !== '' && { collection }),
  }
  const { items } = await shop.get('/products', { params: { query }, signal })
  return items.map(({ id, title, images, price }) => ({ id, title, picture: images[0]?.url, price }))
}

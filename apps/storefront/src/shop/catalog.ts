import {
  StorefrontError,
  type components,
  type paths,
  type ResponseOf,
  type StorefrontClient,
} from '@storefront/client'

type Schemas = components['schemas']
export type Product = Schemas['Product']
export type Variant = Schemas['Variant']
export type Category = Schemas['Category']
export type Collection = Schemas['Collection']
export type SizeChart = Schemas['SizeChart']
export type Money = Schemas['Money']
export type Customer = Schemas['Customer']
export type Order = Schemas['Order']
export type Settings = ResponseOf<'GET /storefront'>
export type Vocabulary = ResponseOf<'GET /attributes'>
export type SuggestionList = ResponseOf<'GET /search/suggest'>
export type ProductList = ResponseOf<'GET /products'>
export type ProductQuery = NonNullable<paths['/products']['get']['parameters']['query']>
export type ReviewList = ResponseOf<'GET /products/{slug}/reviews'>

/** The keys under which pages are purged. */
export const LISTS = 'lists'
export const productKey = (slug: string): string => `product ${slug}`

/** The reads of one page. Notes what the page shows, so that a webhook about it has the page rendered again. */
export class Catalog {
  readonly keys = new Set<string>()
  readonly #shop: StorefrontClient

  constructor(shop: StorefrontClient) {
    this.#shop = shop
  }

  async products(query: ProductQuery): Promise<ProductList> {
    this.keys.add(LISTS)
    const list = await this.#shop.get('/products', { params: { query } })
    for (const { slug } of list.items) this.keys.add(productKey(slug))
    return list
  }

  /** @returns undefined when there is none, or it is not published */
  async product(slug: string): Promise<Product | undefined> {
    this.keys.add(productKey(slug))
    const product = await found(this.#shop.get('/products/{slug}', { params: { path: { slug } } }))
    // A former slug leads to the product too.
    if (product) this.keys.add(productKey(product.slug))
    return product
  }

  async related(slug: string): Promise<Product[]> {
    const list = await found(this.#shop.get('/products/{slug}/related', { params: { path: { slug } } }))
    for (const { slug } of list?.items ?? []) this.keys.add(productKey(slug))
    return list?.items ?? []
  }

  async reviews(slug: string, page: number): Promise<ReviewList | undefined> {
    this.keys.add(productKey(slug))
    return found(this.#shop.get('/products/{slug}/reviews', { params: { path: { slug }, query: { page } } }))
  }

  /** The labels and groups of specifications. */
  vocabulary(): Promise<Vocabulary> {
    return this.#shop.get('/attributes')
  }

  deliveryEstimate(query: {
    method?: string
    country?: string
  }): Promise<ResponseOf<'GET /delivery-estimate'> | undefined> {
    return found(this.#shop.get('/delivery-estimate', { params: { query } }))
  }

  async sizeCharts(): Promise<SizeChart[]> {
    this.keys.add(LISTS)
    return (await this.#shop.get('/size-charts')).items
  }

  suggestions(q: string): Promise<SuggestionList> {
    return this.#shop.get('/search/suggest', { params: { query: { q } } })
  }
}

/** @param code of the 404 that counts; any by default @returns undefined for 404 */
export async function found<Body>(response: Promise<Body>, code?: string): Promise<Body | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof StorefrontError && error.status === 404 && (code ?? error.code) === error.code)
      return undefined
    throw error
  }
}

/** Whether the shop rejected a request, which the shopper may correct. Other errors are those of a shop in trouble. */
export function isRejection(error: unknown): error is StorefrontError & { status: number } {
  return error instanceof StorefrontError && error.status !== undefined && error.status < 500
}

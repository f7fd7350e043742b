import { replyTo, type Messaging } from '@storefront/messaging'
import {
  Product,
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadOrdersPersonalData,
  ReadProducts,
  type RequestDefinition,
  type ServiceName,
} from '@storefront/contracts'
import { waitFor, type Suite } from '@storefront/tools/testing'

/** The products of the simulated catalog, by id, and their former slugs. */
export interface FakeCatalog {
  products: Map<string, Product>
  formerSlugs: Map<string, string>
  /** The maximum number of products in a reply. */
  fitting: number
  /** Whether catalog is of an earlier version, which does not name the products that it withholds. */
  isEarlier: boolean
  /** The number of requests so far. */
  requests: number
  stop(): Promise<void>
}

/** Simulates catalog on NATS, with the permissions that it has there, until it is stopped. */
export async function startFakeCatalog(suite: Suite): Promise<FakeCatalog> {
  const messaging = await suite.openMessaging('catalog')
  const catalog: FakeCatalog = {
    products: new Map(),
    formerSlugs: new Map(),
    fitting: 200,
    isEarlier: false,
    requests: 0,
    stop: () => messaging.close(),
  }
  const bySlug = (slug: string) => [...catalog.products.values()].find((product) => product.slug === slug)
  replyTo({ messaging, log: suite.log, verifyActor: () => undefined }, ReadProducts, async (request) => {
    catalog.requests++
    const found =
      'ids' in request
        ? request.ids.map((id) => catalog.products.get(id))
        : request.slugs.map((slug) => bySlug(slug) ?? catalog.products.get(catalog.formerSlugs.get(slug) ?? ''))
    const existing = found.filter((product) => product !== undefined)
    const published = existing.filter((product) => product.published)
    const withheld = existing.filter((product) => !product.published).map((product) => product.id)
    return {
      // In another order than requested, because a database guarantees none.
      products: published.slice(0, catalog.fitting).toReversed(),
      left: published.slice(catalog.fitting).map((product) => product.id),
      ...(catalog.isEarlier ? {} : { withheld }),
    }
  })
  await (await messaging.opened).flush()
  return catalog
}

type RecordsOf = { customerId: string; after?: string | undefined; email?: string | undefined }
type Page = Awaited<ReturnType<typeof ReadOrdersPersonalData.reply.parseAsync>>
/** The replies of a service, by the requested page; the name of the first page is empty. */
export type Pages = Record<string, Page>

const RECORDS_REQUESTS: Partial<Record<ServiceName, typeof ReadOrdersPersonalData>> = {
  orders: ReadOrdersPersonalData,
  cart: ReadCartPersonalData,
  catalog: ReadCatalogPersonalData,
  notifier: ReadNotifierPersonalData,
}

/** Simulates a service that stores data about customers. */
export async function startFakeRecords(
  suite: Suite,
  service: 'orders' | 'cart' | 'catalog' | 'notifier',
  /** @param email as identity has verified it */
  pagesOf: (customerId: string, email: string | undefined) => Pages,
): Promise<Messaging> {
  const messaging = await suite.openMessaging(service)
  const request: RequestDefinition<RecordsOf, Page> | undefined = RECORDS_REQUESTS[service]
  if (!request) throw new Error(`${service} stores no data about customers`)
  replyTo(
    { messaging, log: suite.log, verifyActor: () => undefined },
    request,
    async ({ customerId, after = '', email }) => {
      return pagesOf(customerId, email)[after] ?? { records: [] }
    },
  )
  await (await messaging.opened).flush()
  return messaging
}

let products = 0

/** A product as catalog returns it. */
export function productOf(slug: string, more: Partial<Product> = {}): Product {
  const price = { amount: 4000, currency: 'USD' }
  return Product.parse({
    id: `prod_${++products}`,
    slug,
    title: `Shirt ${slug}`,
    subtitle: '',
    description: '',
    details: [],
    care: [],
    price,
    compareAtPrice: null,
    images: [{ id: 'img_1', url: 'http://shop.example/a.jpg', alt: 'A shirt', width: 10, height: 10 }],
    options: [],
    swatches: {},
    variants: [
      {
        id: `var_${products}`,
        sku: slug,
        options: {},
        price,
        compareAtPrice: null,
        inventory: 1,
        available: true,
        imageId: 'img_1',
      },
    ],
    categories: [],
    tags: [],
    rating: { average: 0, count: 0 },
    badges: [],
    published: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  })
}

/** Waits until identity has its own connection to NATS. */
export async function untilConnected(suite: Suite, probe: () => Promise<{ status: number }>): Promise<void> {
  await waitFor(`identity on NATS in ${suite.namespace}`, async () => (await probe()).status !== 503)
}

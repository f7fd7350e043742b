import { isDeepStrictEqual } from 'node:util'
import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { CategoryUpdated, Collection, CollectionChange } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { bodyRejected, recordChanged } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { commitTaxonomy, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { IfMatchHeader, matchesContent } from '../merchant/entity-tags.ts'
import { storedPicture } from '../merchant/sent-picture.ts'
import { shownPicture } from '../products/product-response.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import {
  findProductsBySlugs,
  findProductsInCollection,
  findStoredCollection,
  insertCollection,
  lockProductsToPlace,
  placeProducts,
  updateCollection,
  type NewCollection,
  type PlacedProduct,
  type StoredCollection,
} from './collections.queries.ts'
import { CollectionPosition, collectionTag } from './admin-collection.ts'

/** Room for as many slugs as a collection may have, each of maximum length. */
const BODY_LIMIT = 5 * 1024 * 1024

export function saveCollectionRoute(app: App, context: CatalogContext): void {
  app.post('/admin/collections', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict'] },
    bodyLimit: BODY_LIMIT,
    schema: {
      summary: 'Save a collection under its slug; fields left out of an existing one keep their values',
      description:
        'A list of `products` replaces the previous one, in its order. A new collection needs a `title` and comes last ' +
        'unless it has a `position`. With If-Match the reply is 409 `conflict` if the collection or its list of products was ' +
        'changed in the meantime.',
      headers: IfMatchHeader,
      body: CollectionChange,
      response: { 200: Collection.extend({ position: CollectionPosition }).meta({ id: 'SavedCollection' }) },
    },
    handler: async (request, reply) => {
      const { collection, etag } = await commitTaxonomy(context, request, reply, (tx, writer) =>
        saveCollection(tx, request.body, writer, context),
      )
      reply.header('etag', etag)
      const count = await context.lists.read(({ index }) =>
        Promise.resolve(index().listings.itemsWith(term.collection(collection.slug)).size),
      )
      return { ...collection, count, image: shownPicture(collection.image, collection.title, context.publicUrl) }
    },
  })
}

async function saveCollection(
  tx: Tx,
  change: CollectionChange,
  { actor, ifMatch, now }: TaxonomyWriter,
  context: CatalogContext,
): Promise<{ collection: StoredCollection; etag: string; keys: string[] }> {
  const before = await findStoredCollection(tx, change.slug)
  await assertUnchanged(tx, ifMatch, before)
  const wanted = wantedCollection(before, change, context.publicUrl)
  const collection = before
    ? { ...wanted, position: wanted.position ?? before.position }
    : await insertCollection(tx, wanted)
  const places = await place(tx, change, before !== undefined)
  const etag = collectionTag(collection, slugsOf(places.after))
  const isSame = isDeepStrictEqual(before, collection)
  if (isSame && places.isUnchanged) return { collection, etag, keys: [] }
  if (before && !isSame) await updateCollection(tx, collection)
  await publish(tx, CategoryUpdated, { slug: collection.slug }, now)
  const subject = { kind: 'collection' as const, id: collection.slug }
  const { added, removed, isReordered } = places
  await recordChange(tx, {
    actor,
    subject,
    // Only the products that were added or removed, because a collection may have thousands.
    ...(before && { before: { ...before, products: slugsOf(removed), ...(isReordered && { order: 'before' }) } }),
    after: { ...collection, products: slugsOf(added), ...(isReordered && { order: 'after' }) },
    at: now,
  })
  const touched = [...added, ...removed].map((product) => product.id)
  return { collection, etag, keys: [key.collections, ...(await refreshProducts(tx, touched, context))] }
}

async function findSlugs(tx: Tx, slug: string): Promise<string[]> {
  return slugsOf(await findProductsInCollection(tx, slug))
}

/** @throws HttpError `conflict` when the collection has changed since the client read it */
export async function assertUnchanged(
  tx: Tx,
  ifMatch: string | undefined,
  stored: StoredCollection | undefined,
): Promise<void> {
  if (ifMatch === undefined) return
  const record = stored && { ...stored, products: await findSlugs(tx, stored.slug) }
  if (!matchesContent(ifMatch, record)) throw recordChanged('collection')
}

function wantedCollection(
  before: StoredCollection | undefined,
  change: CollectionChange,
  publicUrl: string,
): NewCollection {
  const title = change.title ?? before?.title
  if (title === undefined) throw bodyRejected([{ path: 'title', message: 'must be given for a new collection' }])
  return {
    slug: change.slug,
    title,
    blurb: change.blurb ?? before?.blurb ?? '',
    image: storedPicture(change.image, { before: before?.image, publicUrl }),
    position: change.position,
  }
}

interface Places {
  /** The products that it has now, in their order. */
  after: readonly PlacedProduct[]
  added: PlacedProduct[]
  removed: PlacedProduct[]
  isReordered: boolean
  /** Neither the products nor their order change. */
  isUnchanged: boolean
}

/** @param isStored whether the collection existed before, and may have products */
async function place(tx: Tx, { slug, products }: CollectionChange, isStored: boolean): Promise<Places> {
  if (!products) {
    const after = isStored ? await findProductsInCollection(tx, slug) : []
    return { after, added: [], removed: [], isReordered: false, isUnchanged: true }
  }
  await lockProductsToPlace(tx, slug, products)
  const before = isStored ? await findProductsInCollection(tx, slug) : []
  const after = distinct(products, await findProductsBySlugs(tx, products))
  const [idsBefore, idsAfter] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))]
  const added = after.filter(({ id }) => !idsBefore.has(id))
  const removed = before.filter(({ id }) => !idsAfter.has(id))
  await placeProducts(
    tx,
    slug,
    [...idsAfter],
    removed.map(({ id }) => id),
  )
  const keptBefore = before.filter(({ id }) => idsAfter.has(id))
  const keptAfter = after.filter(({ id }) => idsBefore.has(id))
  const isReordered = keptBefore.some(({ id }, index) => id !== keptAfter[index]?.id)
  return { after, added, removed, isReordered, isUnchanged: added.length + removed.length === 0 && !isReordered }
}

/** The named products, each once, at its first position. */
function distinct(slugs: readonly string[], known: ReadonlyMap<string, PlacedProduct>): PlacedProduct[] {
  const products = new Map<string, PlacedProduct>()
  const unknown = slugs.flatMap((slug, index) => {
    const product = known.get(slug)
    if (!product) return [{ path: `products.${index}`, message: `there is no product ${slug}` }]
    if (!products.has(product.id)) products.set(product.id, product)
    return []
  })
  if (unknown.length > 0) throw bodyRejected(unknown)
  return [...products.values()]
}

const slugsOf = (products: readonly PlacedProduct[]) => products.map((product) => product.slug)

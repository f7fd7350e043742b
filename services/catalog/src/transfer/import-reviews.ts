import { isDeepStrictEqual } from 'node:util'
import { newId, type ImportCounts, type ImportMode, type ReviewTransfer } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { lockProducts } from '../products/products.queries.ts'
import { recountReviews } from '../reviews/reviews.queries.ts'
import { resolveProducts } from './check.queries.ts'
import {
  findReviewsById,
  findSameReviews,
  keepOnlyReviews,
  upsertReviews,
  type StoredReview,
} from './import-reviews.queries.ts'
import { nameStored, rowsInChunks, type StagedRow } from './staging.queries.ts'

const CHUNK = 1000

interface ReviewWrite {
  counts: ImportCounts
  /** Products whose reviews changed. */
  productIds: string[]
  /** Those of them whose visible reviews changed. */
  shownIds: string[]
}

/**
 * Saves the reviews of an import. One is identified by its id, or else by its content: without ids an import can be
 * repeated. A dry run counts the same and saves nothing.
 * @param options.storedBefore reviews that the shop had before the import
 */
export async function importReviews(
  tx: Tx,
  job: { id: string; mode: ImportMode; dryRun: boolean },
  { now, storedBefore, applied }: { now: Date; storedBefore: number; applied: (rows: number) => Promise<void> },
): Promise<ReviewWrite> {
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
  const touched = new Set<string>()
  const shown = new Set<string>()
  const used = new Set<string>()
  for await (const rows of rowsInChunks<ReviewTransfer>(tx, job.id, 'review', CHUNK)) {
    const products = await resolveProducts(
      tx,
      job.id,
      rows.map((row) => row.data.product),
    )
    const known = await findKnown(tx, rows, products)
    const changed: StoredReview[] = []
    const places: { place: number; id: string }[] = []
    for (const { data, place } of rows) {
      const productId = products.get(data.product) ?? null
      const same = known.byContent(data, productId, job.mode, used)
      const before = known.byId.get(data.id ?? '') ?? same
      if (before) used.add(before.id)
      const id = before?.id ?? data.id ?? newId('review')
      const after = storedReview(data, id, productId ?? '', before, now)
      places.push({ place, id })
      // An identical review is left alone: its status, for example, is decided elsewhere.
      const isLeftAlone = before !== undefined && before === same && job.mode === 'merge'
      if (isLeftAlone || (before && isDeepStrictEqual(before, after))) counts.unchanged++
      else {
        counts[before ? 'updated' : 'created']++
        changed.push(after)
        for (const { productId: id, published } of before ? [before, after] : [after]) {
          touched.add(id)
          if (published) shown.add(id)
        }
      }
    }
    await nameStored(tx, job.id, 'review', places)
    if (!job.dryRun && changed.length > 0) {
      await lockProducts(
        tx,
        changed.map((each) => each.productId),
      )
      await upsertReviews(tx, changed)
    }
    await applied(rows.length)
  }
  if (job.mode === 'replace') counts.deleted = storedBefore - counts.updated - counts.unchanged
  if (job.dryRun) return { counts, productIds: [], shownIds: [] }
  if (job.mode === 'replace') {
    for (const { productId, published } of await keepOnlyReviews(tx, job.id)) {
      touched.add(productId)
      if (published) shown.add(productId)
    }
  }
  const productIds = [...touched]
  for (let start = 0; start < productIds.length; start += CHUNK) {
    await recountReviews(tx, productIds.slice(start, start + CHUNK))
  }
  return { counts, productIds, shownIds: [...shown] }
}

async function findKnown(
  tx: Tx,
  rows: readonly StagedRow<ReviewTransfer>[],
  products: ReadonlyMap<string, string | null>,
) {
  const byId = new Map(
    (
      await findReviewsById(
        tx,
        rows.flatMap(({ data }) => (data.id === undefined ? [] : [data.id])),
      )
    ).map((review) => [review.id, review]),
  )
  const sayings = rows.flatMap(({ data }) => {
    const productId = products.get(data.product)
    return productId === null || productId === undefined || byId.has(data.id ?? '') ? [] : [{ ...data, productId }]
  })
  const contentOf = (productId: string, { author, body, rating }: { author: string; body: string; rating: number }) =>
    JSON.stringify([productId, author, body, rating])
  const same = Map.groupBy(sayings.length === 0 ? [] : await findSameReviews(tx, sayings), (review) =>
    contentOf(review.productId, review),
  )
  return {
    byId,
    /**
     * A replacing import keeps the given ids; a merging one keeps the id of an identical review rather than storing it
     * twice.
     */
    byContent(data: ReviewTransfer, productId: string | null, mode: ImportMode, used: ReadonlySet<string>) {
      if (productId === null || (data.id !== undefined && mode === 'replace')) return undefined
      return same.get(contentOf(productId, data))?.find((review) => !used.has(review.id))
    },
  }
}

function storedReview(
  { product: _product, id: _id, createdAt, fit, ...given }: ReviewTransfer,
  id: string,
  productId: string,
  before: StoredReview | undefined,
  now: Date,
): StoredReview {
  return {
    ...given,
    id,
    productId,
    fit: fit ?? null,
    createdAt: createdAt === undefined ? (before?.createdAt ?? now) : new Date(createdAt),
  }
}

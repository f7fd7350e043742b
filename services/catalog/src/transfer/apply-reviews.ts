import { chunksOf } from '@storefront/service'
import { isDeepStrictEqual } from 'node:util'
import { newId, type ReviewTransfer } from '@storefront/contracts'
import { FORMER_AUTHOR } from '../customers/customers.queries.ts'
import type { Tx } from '../database.ts'
import { lockProducts } from '../products/products.queries.ts'
import { recountReviews } from '../reviews/reviews.queries.ts'
import { resolveProducts } from './match-products.queries.ts'
import { append, leavesAlone, type Applying } from './import-effects.ts'
import {
  anonymizeSaved,
  attachCustomers,
  detachCustomers,
  findFormerReviews,
  findReviewsById,
  findSameReviews,
  keepOnlyReviews,
  upsertReviews,
  type ReviewContent,
  type ReviewOfCustomer,
  type StoredReview,
} from './reviews.queries.ts'
import { rowsInChunks, updateRows, type StagedRow } from './staging.queries.ts'

const CHUNK = 1000

/**
 * Saves the reviews of an import. A review is identified by its id, or else by its content, so that an import without
 * ids can be repeated. A dry run only counts.
 */
export async function applyReviews(tx: Tx, applying: Applying): Promise<void> {
  if (leavesAlone(applying, 'review')) return
  const { job, effects, storedReviews, applied } = applying
  const counts = effects.counts.reviews
  const reviewed: Reviewed = { ids: new Set<string>(), shownIds: new Set<string>() }
  const used = new Set<string>()
  const detached: ReviewOfCustomer[] = []
  let skipped = 0
  for await (const rows of rowsInChunks<ReviewTransfer>(tx, job, 'review', CHUNK)) {
    const { changed, rowIds } = await compare(tx, rows, { ...applying, used, reviewed })
    await updateRows(tx, job.id, 'review', { column: 'stored_id', rows: rowIds })
    skipped += rows.length - rowIds.length
    if (!job.dryRun && changed.length > 0) {
      const ids = changed.map((each) => each.productId)
      await lockProducts(tx, ids)
      append(detached, await detachCustomers(tx, changed))
      await upsertReviews(tx, changed)
      await anonymizeSaved(tx, changed)
    }
    await applied(rows.length)
  }
  // Skipped rows count as unchanged, and have no stored review.
  if (job.mode === 'replace') counts.deleted = storedReviews - counts.updated - (counts.unchanged - skipped)
  if (job.dryRun) return
  if (storedReviews > 0) noteReviewed(await keepOnlyReviews(tx, job.id), reviewed)
  await attachCustomers(tx, detached)
  const productIds = [...reviewed.ids]
  for (const ids of chunksOf(productIds, CHUNK)) await recountReviews(tx, ids)
  append(effects.staleIds, productIds)
  effects.reviewedIds = [...reviewed.shownIds]
}

/** Products whose reviews changed, and those whose visible reviews did. */
interface Reviewed {
  ids: Set<string>
  shownIds: Set<string>
}

function noteReviewed(
  reviews: readonly { productId: string; published: boolean }[],
  { ids, shownIds }: Reviewed,
): void {
  for (const { productId, published } of reviews) {
    ids.add(productId)
    if (published) shownIds.add(productId)
  }
}

/** Counts reviews. @returns those to save, and the id of each row that is not skipped */
async function compare(
  tx: Tx,
  rows: readonly StagedRow<ReviewTransfer>[],
  { job, now, effects, used, reviewed }: Applying & { used: Set<string>; reviewed: Reviewed },
): Promise<{ changed: StoredReview[]; rowIds: { place: number; value: string }[] }> {
  const slugs = rows.map(({ data }) => data.product)
  const products = await resolveProducts(tx, job.id, slugs)
  const givenIds = rows.flatMap(({ data }) => data.id ?? [])
  const former = await findFormerReviews(tx, givenIds)
  const given = rows.map(({ data, place }) => {
    const isFormer = former.has(data.id ?? '')
    // A file that was exported before the account was deleted still has the name.
    const kept = isFormer ? { ...data, author: FORMER_AUTHOR } : data
    return { data: kept, isFormer, place, productId: products.get(data.product) ?? null }
  })
  const byId = new Map((await findReviewsById(tx, givenIds)).map((review) => [review.id, review]))
  const unnamed = given.flatMap(({ data, productId }) =>
    productId === null || byId.has(data.id ?? '') ? [] : [{ ...data, productId }],
  )
  const byContent = Map.groupBy(await findSameReviews(tx, unnamed), contentOf)
  const changed: StoredReview[] = []
  const rowIds = given.flatMap(({ data, isFormer, place, productId }) => {
    // A replacing import keeps the given ids. A merging one uses the id of an identical review, to avoid a duplicate,
    // except for anonymized reviews, because different ones may look the same.
    const keepsId = isFormer || (data.id !== undefined && job.mode === 'replace')
    const alike = productId === null || keepsId ? undefined : byContent.get(contentOf({ ...data, productId }))
    const same = alike?.find((review) => !used.has(review.id))
    const before = byId.get(data.id ?? '') ?? same
    // The pending review was deleted with the account.
    if (isFormer && !before && isPending(data)) {
      effects.counts.reviews.unchanged++
      return []
    }
    if (before) used.add(before.id)
    const id = before?.id ?? data.id ?? newId('review')
    const after = storedReview(data, id, productId ?? '', before, now)
    // An identical review is not changed, because a merchant may have changed its status.
    const isLeftAlone = before !== undefined && before === same && job.mode === 'merge'
    const isUnchanged = isLeftAlone || (before !== undefined && isDeepStrictEqual(before, after))
    if (isUnchanged) effects.counts.reviews.unchanged++
    else {
      effects.counts.reviews[before ? 'updated' : 'created']++
      changed.push(after)
      noteReviewed(before ? [before, after] : [after], reviewed)
    }
    return { place, value: id }
  })
  return { changed, rowIds }
}

function contentOf({ productId, author, body, rating }: ReviewContent): string {
  return JSON.stringify([productId, author, body, rating])
}

function isPending({ published, hidden = false }: ReviewTransfer): boolean {
  return !published && !hidden
}

function storedReview(
  { product: _product, id: _id, createdAt, fit, hidden, ...given }: ReviewTransfer,
  id: string,
  productId: string,
  before: StoredReview | undefined,
  now: Date,
): StoredReview {
  return {
    ...given,
    id,
    productId,
    // Earlier versions did not record the ids of reviews that they anonymized.
    author: before?.author === FORMER_AUTHOR ? before.author : given.author,
    hidden: !given.published && (hidden ?? before?.hidden ?? false),
    fit: fit ?? null,
    createdAt: createdAt === undefined ? (before?.createdAt ?? now) : new Date(createdAt),
  }
}

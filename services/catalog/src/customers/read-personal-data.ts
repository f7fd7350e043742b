import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadCatalogPersonalData } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { reviewAnswer } from '../reviews/list-reviews.ts'
import { findPurchasesAfter, findReviewsAfter } from './customers.queries.ts'

const BATCH = 50
/** What a page holds, as long as it is more than one record. */
const PAGE_BYTES = 256_000

/** Reviews come first, then purchases: what a page is called says which of them it is a page of. */
const REVIEW_PAGES = 'review:'
const PURCHASE_PAGES = 'purchase:'

interface Context {
  db: Database
  publicUrl: string
}

/** What a customer wrote and bought, for the document of everything that is kept about a person. */
export function answerReadPersonalData(
  context: Context & { messaging: Messaging; verifyActor: ActorVerifier; log: Log },
): void {
  answer(context, ReadCatalogPersonalData, async ({ customerId, after = REVIEW_PAGES }) =>
    after.startsWith(PURCHASE_PAGES)
      ? purchasePage(context, customerId, after.slice(PURCHASE_PAGES.length))
      : reviewPage(context, customerId, after.slice(REVIEW_PAGES.length)),
  )
}

async function reviewPage({ db, publicUrl }: Context, customerId: string, after: string) {
  const reviews = await findReviewsAfter(db, customerId, { after, limit: BATCH })
  const fitting = firstThatFit(
    reviews.map(({ status, product, customerId: _customerId, ...review }) => ({
      kind: 'review',
      record: { ...reviewAnswer(review, publicUrl), status, product },
    })),
  )
  const isAll = fitting.length === reviews.length && reviews.length < BATCH
  return { records: fitting, next: isAll ? PURCHASE_PAGES : `${REVIEW_PAGES}${fitting.at(-1)?.record.id ?? ''}` }
}

async function purchasePage({ db }: Context, customerId: string, after: string) {
  const purchases = await findPurchasesAfter(db, customerId, { after, limit: BATCH })
  const fitting = firstThatFit(purchases.map((purchase) => ({ kind: 'purchase', record: { ...purchase } })))
  const isAll = fitting.length === purchases.length && purchases.length < BATCH
  return { records: fitting, ...(isAll ? {} : { next: `${PURCHASE_PAGES}${fitting.at(-1)?.record.orderId ?? ''}` }) }
}

function firstThatFit<Entry>(records: readonly Entry[]): Entry[] {
  let bytes = 0
  const end = records.findIndex((record, index) => {
    bytes += Buffer.byteLength(JSON.stringify(record))
    return index > 0 && bytes > PAGE_BYTES
  })
  return end === -1 ? [...records] : records.slice(0, end)
}

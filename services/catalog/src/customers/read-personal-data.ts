import { replyTo, type Messaging } from '@storefront/messaging'
import { messagePage } from '@storefront/http'
import type { ActorVerifier, Log } from '@storefront/service'
import { ReadCatalogPersonalData } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { reviewResponse } from '../reviews/list-reviews.ts'
import { findPurchasesAfter, findReviewsAfter } from './customers.queries.ts'

const BATCH = 50

/** Reviews come first, then purchases. The position of a page begins with the kind of records that it holds. */
const REVIEW_PAGES = 'review:'
const PURCHASE_PAGES = 'purchase:'

interface Context {
  db: Database
  publicUrl: string
}

/** The reviews and purchases of a customer, for the export of all personal data. */
export function replyToReadPersonalData(
  context: Context & { messaging: Messaging; verifyActor: ActorVerifier; log: Log },
): void {
  replyTo(context, ReadCatalogPersonalData, async ({ customerId, after = REVIEW_PAGES }) =>
    after.startsWith(PURCHASE_PAGES)
      ? purchasePage(context, customerId, after.slice(PURCHASE_PAGES.length))
      : reviewPage(context, customerId, after.slice(REVIEW_PAGES.length)),
  )
}

async function reviewPage({ db, publicUrl }: Context, customerId: string, after: string) {
  const reviews = await findReviewsAfter(db, customerId, { after, limit: BATCH })
  const page = messagePage(reviews, {
    limit: BATCH,
    recordOf: ({ status, product, customerId: _customerId, ...review }) => ({
      kind: 'review',
      record: { ...reviewResponse(review, publicUrl), status, product },
    }),
    nextOf: ({ id }) => REVIEW_PAGES + id,
  })
  return { records: page.records, next: page.next ?? PURCHASE_PAGES }
}

async function purchasePage({ db }: Context, customerId: string, after: string) {
  const purchases = await findPurchasesAfter(db, customerId, { after, limit: BATCH })
  return messagePage(purchases, {
    limit: BATCH,
    recordOf: (purchase) => ({ kind: 'purchase', record: { ...purchase } }),
    nextOf: ({ orderId }) => PURCHASE_PAGES + orderId,
  })
}

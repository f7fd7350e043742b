import { pageForMessage, replyTo } from '@storefront/messaging'
import { ReadCatalogPersonalData } from '@storefront/contracts'
import { alertRecord } from '../alerts/alert-record.ts'
import { findAlertsAfter } from '../alerts/alerts.queries.ts'
import type { CatalogContext } from '../context.ts'
import { reviewResponse } from '../reviews/list-reviews.ts'
import { findPurchasesAfter, findReviewsAfter } from './customers.queries.ts'

const BATCH = 50

/**
 * Reviews come first, then purchases, then alerts of the verified address. The position of a page begins with the kind
 * of records that it holds.
 */
const REVIEW_PAGES = 'review:'
const PURCHASE_PAGES = 'purchase:'
const ALERT_PAGES = 'alert:'

/** The reviews, purchases and alerts of a customer, for the export of all personal data. */
export function replyToReadPersonalData(context: CatalogContext): void {
  replyTo(context, ReadCatalogPersonalData, async ({ customerId, email, after = REVIEW_PAGES }) => {
    if (after.startsWith(ALERT_PAGES)) return alertPage(context, email, after.slice(ALERT_PAGES.length))
    if (after.startsWith(PURCHASE_PAGES)) {
      return purchasePage(context, customerId, after.slice(PURCHASE_PAGES.length))
    }
    return reviewPage(context, customerId, after.slice(REVIEW_PAGES.length))
  })
}

async function reviewPage({ db, publicUrl }: CatalogContext, customerId: string, after: string) {
  const reviews = await findReviewsAfter(db, customerId, { after, limit: BATCH })
  const page = pageForMessage(reviews, {
    limit: BATCH,
    recordOf: ({ status, product, customerId: _customerId, ...review }) => ({
      kind: 'review',
      record: { ...reviewResponse(review, publicUrl), status, product },
    }),
    nextOf: ({ id }) => REVIEW_PAGES + id,
  })
  return { records: page.records, next: page.next ?? PURCHASE_PAGES }
}

async function purchasePage({ db }: CatalogContext, customerId: string, after: string) {
  const purchases = await findPurchasesAfter(db, customerId, { after, limit: BATCH })
  const page = pageForMessage(purchases, {
    limit: BATCH,
    recordOf: (purchase) => ({ kind: 'purchase', record: { ...purchase } }),
    nextOf: ({ orderId }) => PURCHASE_PAGES + orderId,
  })
  return { records: page.records, next: page.next ?? ALERT_PAGES }
}

async function alertPage({ db }: CatalogContext, email: string | undefined, after: string) {
  // The alerts of an address that is not verified may be another person's.
  const alerts = email === undefined ? [] : await findAlertsAfter(db, email, { after, limit: BATCH })
  return pageForMessage(alerts, {
    limit: BATCH,
    recordOf: (alert) => ({ kind: 'alert', record: { ...alertRecord(alert) } }),
    nextOf: ({ id }) => ALERT_PAGES + id,
  })
}

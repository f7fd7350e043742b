import { processBatches } from '@storefront/jobs'
import { publish, publishAll } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import { AlertMailsRequested, MAX_ALERT_MAILS } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { alertedProduct } from './alerted-product.ts'
import { findAlertedVariants, findPublishedProduct, type PublishedProduct } from './alerted-product.queries.ts'
import { deleteCheck, endRestocked, isCheckWaiting, lockCheck, lowerPrices } from './due-alerts.queries.ts'

type Context = Pick<CatalogContext, 'db' | 'clock' | 'log' | 'publicUrl' | 'pollMs'>

/**
 * Requests the mails of due alerts, a bounded number in one transaction, which both marks the alerts and publishes the
 * events, so that a crash neither loses nor repeats a mail.
 */
export function sendAlerts(context: Context): Timer {
  const { db, log, pollMs } = context
  return processBatches({
    name: 'send alerts',
    log,
    everyMs: pollMs,
    isWaiting: () => isCheckWaiting(db),
    next: () => transaction(db, (tx) => sendBatch(tx, context)),
  })
}

/** @returns false when no product is waiting */
async function sendBatch(tx: Tx, { clock, publicUrl }: Context): Promise<boolean> {
  const check = await lockCheck(tx)
  if (!check) return false
  const now = clock.now()
  // Read again, so that no mail is sent about a variant that was sold out again meanwhile.
  const product = await findPublishedProduct(tx, check.productId)
  const room = product ? await sendAll(tx, product, { now, publicUrl }) : MAX_ALERT_MAILS
  // After a full batch, more alerts may be due, so the check stays.
  if (room > 0) await deleteCheck(tx, check.id)
  return true
}

/** @returns how many more mails this transaction could have requested */
async function sendAll(tx: Tx, product: PublishedProduct, unlimited: Omit<Batch, 'limit'>): Promise<number> {
  const restocked = await sendRestocked(tx, product, { ...unlimited, limit: MAX_ALERT_MAILS })
  const limit = MAX_ALERT_MAILS - restocked
  return limit === 0 ? 0 : limit - (await sendCheaper(tx, product, { ...unlimited, limit }))
}

interface Batch {
  now: Date
  publicUrl: string
  limit: number
}

async function sendRestocked(tx: Tx, product: PublishedProduct, { now, publicUrl, limit }: Batch): Promise<number> {
  const buyable = (await findAlertedVariants(tx, product.id)).filter((variant) => variant.buyable)
  const due = await endRestocked(
    tx,
    buyable.map(({ id }) => id),
    { limit, now },
  )
  const byVariant = Map.groupBy(due, ({ variantId }) => variantId)
  const events = buyable.flatMap((variant) => {
    const mails = byVariant.get(variant.id)?.map(({ id, email }) => ({ alertId: id, to: email }))
    if (!mails) return []
    const shown = alertedProduct(product, variant, publicUrl)
    return [{ kind: 'backInStock' as const, about: 'back-in-stock' as const, product: shown, mails }]
  })
  await publishAll(tx, AlertMailsRequested, events, now)
  return due.length
}

async function sendCheaper(tx: Tx, product: PublishedProduct, { now, publicUrl, limit }: Batch): Promise<number> {
  const due = await lowerPrices(tx, product, limit)
  if (due.length === 0) return 0
  const mails = due.map(({ id, email, formerPriceMinor }) => ({
    alertId: id,
    to: email,
    formerPrice: { amount: formerPriceMinor, currency: product.currency },
  }))
  const shown = alertedProduct(product, undefined, publicUrl)
  await publish(tx, AlertMailsRequested, { kind: 'priceDrop', about: 'price-drop', product: shown, mails }, now)
  return due.length
}

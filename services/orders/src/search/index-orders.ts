import { setTimeout as pause } from 'node:timers/promises'
import { processBatches } from '@storefront/jobs'
import type { Log, Timer } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import {
  countSearchQueue,
  isSearchQueued,
  lockForSearch,
  queueForSearch,
  saveWords,
  takeFromSearchQueue,
  type OrderToFind,
} from './search-index.queries.ts'
import { vectorOf, wordsOf } from './words.ts'

/** Few, because a transaction that changes one of these orders waits until all of them are indexed. */
const AT_ONCE = 100
const EVERY_MS = 1000
/** The pause between two batches of a long queue: checkouts have priority. */
const PAUSE_MS = 10
const LOG_EVERY = 5000

/**
 * Indexes orders for the search soon after they were placed or changed. An order leaves the queue in the transaction
 * that writes its words: a crash loses none, and an order that changes meanwhile is queued again.
 */
export function indexOrders({ db, log }: { db: Database; log: Log }): Timer {
  let indexedSoFar = 0
  return processBatches({
    name: 'index orders',
    log,
    everyMs: EVERY_MS,
    isWaiting: () => isSearchQueued(db),
    async next() {
      const { taken, indexed } = await transaction(db, (tx) => indexQueued(tx, log))
      const before = indexedSoFar
      indexedSoFar += indexed
      if (Math.floor(indexedSoFar / LOG_EVERY) > Math.floor(before / LOG_EVERY))
        log.info({ indexed: indexedSoFar, left: await countSearchQueue(db) }, 'indexing orders for the search')
      // When all are locked by other transactions, an immediate retry would only loop.
      const hasMore = taken === AT_ONCE && indexed > 0
      if (hasMore) await pause(PAUSE_MS)
      else indexedSoFar = 0
      return hasMore
    },
  })
}

async function indexQueued(tx: Tx, log: Log): Promise<{ taken: number; indexed: number }> {
  const { rows: taken, orderIds } = await takeFromSearchQueue(tx, AT_ONCE)
  if (taken === 0) return { taken, indexed: 0 }
  const orders = await lockForSearch(tx, orderIds)
  const locked = new Set(orders.map(({ id }) => id))
  await queueForSearch(
    tx,
    orderIds.filter((id) => !locked.has(id)),
  )
  await saveWords(
    tx,
    orders.map((order) => ({ id: order.id, vector: vectorOf(wordsOf(textsOf(order, log))) })),
  )
  return { taken, indexed: orders.length }
}

/** Everything that a merchant may search an order by. */
function textsOf(order: OrderToFind, log: Log): string[] {
  const { id, number, email, document, paymentReference, tracking, trackingCodes } = order
  try {
    const { shippingAddress, lines, discountCode } = document
    return [
      number,
      id,
      email,
      shippingAddress.name,
      shippingAddress.postalCode,
      // Typed without its spaces, it is one word.
      shippingAddress.postalCode.replace(/\s/gu, ''),
      ...[discountCode?.code, paymentReference, tracking?.code].filter((text) => typeof text === 'string'),
      ...trackingCodes,
      ...lines.flatMap(({ title, variantId, sku = '' }) => [title, variantId, sku]),
    ]
  } catch (error) {
    // An order that cannot be parsed must not block the others.
    log.error(
      { err: error, orderId: id },
      'an order cannot be parsed; search finds it only by its number, id and email address',
    )
    return [number, id, email]
  }
}

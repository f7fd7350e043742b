import { createDatabase, transaction } from '@storefront/postgres'
import { systemClock } from '@storefront/service'
import { ProductInput } from '@storefront/contracts'
import { lockWaiters, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import type { CatalogTables, Database, Tx } from '../src/database.ts'
import { holdCategories, holdSizeCharts } from '../src/products/admin-products.queries.ts'
import { refreshProducts } from '../src/products/refresh-products.ts'
import { saveProducts } from '../src/products/save-products.ts'
import { PUBLIC_URL } from './catalog.ts'

/** Another writer, with its own connections. */
export function openWriter(suite: Suite): Database {
  return createDatabase<CatalogTables>({
    url: suite.databaseUrl('catalog'),
    poolSize: 2,
    name: 'writer',
    log: suite.log,
  })
}

/** Does something in a transaction that stays open until a request to the service waits for it, or has its response. */
export async function whileOpen<Result>(
  suite: Suite,
  writer: Database,
  work: (tx: Tx) => Promise<void>,
  request: () => Promise<Result>,
): Promise<Result> {
  const requested = await transaction(writer, async (tx) => {
    await work(tx)
    const response = request()
    await untilBlockedOrDone(suite, response)
    return { response }
  })
  return requested.response
}

/** Locks a category as its deletion does. */
export async function lockCategory(tx: Tx, slug: string): Promise<void> {
  await tx.selectFrom('categories').select('slug').where('slug', '=', slug).forUpdate().execute()
}

/**
 * Makes a request wait for a record that another transaction has locked, and then locks a product in that transaction.
 * @throws Error when the request has locked the product before the record: the two would have deadlocked
 */
export async function lockProductMeanwhile<Result>(
  suite: Suite,
  writer: Database,
  { slug, locked, request }: { slug: string; locked: (tx: Tx) => Promise<unknown>; request: () => Promise<Result> },
): Promise<Result> {
  const lockBoth = async (tx: Tx) => {
    await locked(tx)
    const response = request()
    await waitForLock(suite, '', { application: 'catalog' })
    await tx.selectFrom('products').select('id').where('slug', '=', slug).forUpdate().noWait().executeTakeFirstOrThrow()
    return { response }
  }
  return (await transaction(writer, lockBoth)).response
}

/** Saves a new product as a merchant's request does, in a transaction that stays open meanwhile. */
export function saveMeanwhile<Result>(
  suite: Suite,
  writer: Database,
  product: Record<string, unknown>,
  request: () => Promise<Result>,
): Promise<Result> {
  const input = ProductInput.parse(product)
  const save = async (tx: Tx) => {
    await holdCategories(tx, input.categories)
    await holdSizeCharts(tx, typeof input.sizeChartId === 'string' ? [input.sizeChartId] : [])
    const rows = [{ input, slug: input.slug ?? '', before: undefined }]
    const saved = await saveProducts(tx, rows, { currency: 'USD', now: new Date() })
    const ids = saved.map((each) => each.id)
    await refreshProducts(tx, ids, { clock: systemClock, log: suite.log, publicUrl: PUBLIC_URL })
  }
  return whileOpen(suite, writer, save, request)
}

/** All events so far are on the stream, so that later ones can be distinguished. */
export async function untilPublished(suite: Suite): Promise<void> {
  await waitFor('an empty outbox', async () => (await suite.sql('select 1 from catalog.outbox limit 1')).length === 0)
}

async function untilBlockedOrDone(suite: Suite, request: Promise<unknown>): Promise<void> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  request.then(end, end)
  await waitFor('a request that waits for a lock', async () => {
    const waiting = await lockWaiters(suite, '', { application: 'catalog' })
    return isDone || waiting.length > 0
  })
}

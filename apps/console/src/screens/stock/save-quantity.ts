import { StorefrontError } from '@storefront/client'
import { t } from 'i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { randomKey } from '../../parts/random-key.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { afterChange, type QuantityChange } from './read-quantity.ts'
import { movementsKey, STOCK_LISTS, type StockPage } from './stock-queries.ts'

interface Stocked {
  variantId: string
  sku: string
  available: number
}

/** The ids of changes that may have been saved although no response came, by what they change. */
const unanswered = new Map<string, string>()

/**
 * Saves the units that can be bought: shown at once, restored when the shop rejects it, and undone on request.
 * @returns whether the shop has accepted it
 */
export async function saveQuantity(row: Stocked, change: QuantityChange, reason?: string): Promise<boolean> {
  const { variantId, sku, available: before } = row
  show(variantId, afterChange(change, before))
  try {
    const { inventory: after, delta } = await send(variantId, change, reason)
    show(variantId, after)
    if (delta === 0) noticeDone(t('stock.savedBefore', { sku, count: after }))
    else noticeUndo(t('stock.saved', { sku, before: after - delta, after }), () => undo(row, -delta))
    return true
  } catch (error) {
    show(variantId, before)
    // It may have been saved all the same.
    void queryClient.invalidateQueries({ queryKey: STOCK_LISTS })
    noticeFailure(error)
    return false
  } finally {
    void queryClient.invalidateQueries({ queryKey: movementsKey(variantId) })
  }
}

/** @returns the stock, and the units that this change added; of a quantity that is set, the shop computes them */
async function send(id: string, change: QuantityChange, reason = ''): Promise<{ inventory: number; delta: number }> {
  const params = { path: { id } }
  if ('set' in change) {
    return shop.patch('/admin/variants/{id}/inventory', { params, body: { quantity: change.set } })
  }
  const content = JSON.stringify([id, change.add, reason])
  const operationId = unanswered.get(content) ?? randomKey()
  // An identical change while this one is under way is a change of its own.
  unanswered.delete(content)
  try {
    const body = { delta: change.add, operationId, ...(reason !== '' && { reason }) }
    const { inventory, replayed } = await shop.post('/admin/variants/{id}/inventory', { params, body })
    return { inventory, delta: replayed === true ? 0 : change.add }
  } catch (error) {
    const wasRejected = error instanceof StorefrontError && error.status !== undefined && error.status < 500
    if (!wasRejected) unanswered.set(content, operationId)
    throw error
  }
}

/** Undoes a change by its difference, so that units sold in the meantime stay sold. */
async function undo({ variantId, sku }: Stocked, add: number): Promise<void> {
  const { inventory } = await send(variantId, { add }, t('stock.undoReason'))
  show(variantId, inventory)
  noticeDone(t('stock.undone', { sku, count: inventory }))
  void queryClient.invalidateQueries({ queryKey: movementsKey(variantId) })
}

/** Shows a quantity in all lists. A row whose stock is no longer low stays in its list until the next load. */
function show(variantId: string, available: number): void {
  queryClient.setQueriesData<StockPage>(
    { queryKey: STOCK_LISTS },
    (page) =>
      page && { ...page, rows: page.rows.map((row) => (row.variantId === variantId ? { ...row, available } : row)) },
  )
}

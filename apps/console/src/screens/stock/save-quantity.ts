import { t } from 'i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { afterChange, type QuantityChange } from './read-quantity.ts'
import { movementsKey, STOCK_LISTS, type StockPage } from './stock-queries.ts'

interface Stocked {
  variantId: string
  sku: string
  available: number
}

/**
 * Saves the units that can be bought: shown at once, restored when the shop rejects it, and taken back on request.
 * @returns whether the shop has accepted it
 */
export async function saveQuantity(row: Stocked, change: QuantityChange, reason?: string): Promise<boolean> {
  const { variantId, sku, available: before } = row
  show(variantId, afterChange(change, before))
  try {
    const { inventory: after } = await send(variantId, change, reason)
    show(variantId, after)
    noticeUndo(t('stock.saved', { sku, before, after }), () =>
      takeBack(row, 'add' in change ? -change.add : before - after),
    )
    return true
  } catch (error) {
    show(variantId, before)
    noticeFailure(error)
    return false
  } finally {
    void queryClient.invalidateQueries({ queryKey: movementsKey(variantId) })
  }
}

function send(id: string, change: QuantityChange, reason: string | undefined) {
  const path = { params: { path: { id } } }
  return 'set' in change
    ? shop.patch('/admin/variants/{id}/inventory', { ...path, body: { quantity: change.set } })
    : shop.post('/admin/variants/{id}/inventory', {
        ...path,
        body: { delta: change.add, ...(reason !== undefined && reason !== '' && { reason }) },
      })
}

/** By the difference, so that units sold in the meantime stay sold. */
async function takeBack({ variantId, sku }: Stocked, add: number): Promise<void> {
  const { inventory } = await send(variantId, { add }, t('stock.takenBackReason'))
  show(variantId, inventory)
  noticeDone(t('stock.takenBack', { sku, count: inventory }))
  void queryClient.invalidateQueries({ queryKey: movementsKey(variantId) })
}

/** A row stays where it is, even if it no longer is low: it leaves with the next load. */
function show(variantId: string, available: number): void {
  queryClient.setQueriesData<StockPage>(
    { queryKey: STOCK_LISTS },
    (page) =>
      page && { ...page, rows: page.rows.map((row) => (row.variantId === variantId ? { ...row, available } : row)) },
  )
}

import type { Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { isDraftId } from './draft.ts'
import { saveOrdered } from './drafts.queries.ts'
import { shownQuote } from './price-draft.ts'

/** Records on a draft and on its order that the one became the other, in the transaction that places the order. */
export async function endDraft(
  tx: Tx,
  { id: orderId, cartId, document, placedAt: at }: Pick<StoredOrder, 'id' | 'cartId' | 'document' | 'placedAt'>,
): Promise<void> {
  if (!isDraftId(cartId)) return
  const actor = await saveOrdered(tx, cartId, { orderId, quote: shownQuote(document), at })
  if (actor !== undefined) await recordSteps(tx, [{ orderId, kind: 'drafted', actor, detail: { draft: cartId } }], at)
}

import { textAt } from '../read-value.ts'
import { ADDRESS, buy, cartWith, checkoutOf, shirtInStock, untilPaid, client, type StepContext } from './context.ts'

const DAY_MS = 86_400_000

/** What goes with the parcel, and what the shop's staff write about it. */
async function printAndNote({ recorder, admin }: StepContext, path: { id: string }): Promise<void> {
  await recorder.call(admin, 'GET /admin/orders/{id}/packing-slip.pdf', { path })
  await recorder.call(admin, 'GET /admin/orders/{id}/invoice.pdf', { path })
  const notes = 'POST /admin/orders/{id}/notes'
  await recorder.call(admin, notes, { path, body: { text: 'Rang the buyer: the parcel may be left next door.' } })
  const mistake = await recorder.peek(admin, notes, { path, body: { text: 'About another order.' } })
  const note = { ...path, noteId: textAt(mistake, 'detail', 'id') }
  await recorder.call(admin, 'DELETE /admin/orders/{id}/notes/{noteId}', { path: note })
}

/** An order that a merchant makes for a buyer on the phone. */
async function draftOrders(context: StepContext): Promise<void> {
  const { recorder, admin } = context
  const lines = [{ variantId: await shirtInStock(context), quantity: 1 }]
  const goods = { lines, shippingAddress: ADDRESS, shippingMethod: 'standard' }
  await recorder.call(admin, 'POST /admin/draft-orders/quote', { body: goods })
  const body = { ...goods, email: 'grace@example.com', note: 'Calls back on Monday.' }
  const path = { id: textAt(await recorder.call(admin, 'POST /admin/draft-orders', { body }), 'id') }
  const change = { lines: [{ ...lines[0], quantity: 2 }] }
  await recorder.call(admin, 'PATCH /admin/draft-orders/{id}', { path, body: change })
  await recorder.call(admin, 'POST /admin/draft-orders/{id}/send', { path, body: { mail: true } })
  await recorder.call(admin, 'GET /admin/draft-orders', { query: { status: 'sent', per_page: '2' } })
  await recorder.call(admin, 'GET /admin/draft-orders/{id}', { path })
  await recorder.call(admin, 'DELETE /admin/draft-orders/{id}', { path })
}

/** What a merchant does with orders. */
export async function serveOrders(context: StepContext): Promise<void> {
  const { recorder, admin } = context
  const order = await buy(context, client(), 'grace@example.com', 2)
  const path = { id: textAt(order, 'id') }
  await untilPaid(context, path.id)
  await recorder.call(admin, 'GET /admin/orders', { query: { status: 'paid', per_page: '2' } })
  await recorder.call(admin, 'GET /admin/orders/export', { query: { status: 'paid' } })
  await recorder.call(admin, 'GET /admin/orders/{id}', { path })
  const tracking = {
    carrier: 'DHL',
    code: '00340434161094042557',
    url: 'https://www.dhl.com/track?id=00340434161094042557',
  }
  await recorder.call(admin, 'POST /admin/orders/{id}/fulfilments', {
    path,
    headers: { 'idempotency-key': `parcel-of-${path.id}` },
    body: { lines: [{ lineId: textAt(order, 'lines', 0, 'id'), quantity: 1 }], tracking },
  })
  const change = { status: 'fulfilled', tracking, tags: ['VIP', 'gift wrap'] }
  await recorder.call(admin, 'PATCH /admin/orders/{id}', { path, body: change })
  await printAndNote(context, path)
  await recorder.call(admin, 'POST /admin/orders/{id}/refunds', {
    path,
    headers: { 'idempotency-key': `refund-of-${path.id}` },
    body: {
      lines: [{ lineId: textAt(order, 'lines', 0, 'id'), quantity: 1 }],
      reason: 'One came back',
      restock: true,
    },
  })
  await recorder.call(admin, 'GET /admin/orders/{id}/timeline', { path })
  const cart = await cartWith(context, client(), 1)
  await recorder.call(admin, 'POST /admin/orders', {
    headers: { 'idempotency-key': `order-of-${cart}` },
    body: {
      ...checkoutOf('grace@example.com'),
      cart_id: cart,
      payment: { provider: 'invoice', status: 'pending' },
    },
  })
  await draftOrders(context)
  await recorder.call(admin, 'POST /admin/reconciliation', { body: {} })
  await recorder.call(admin, 'GET /admin/reconciliation')
  await recorder.call(admin, 'GET /admin/attention')
  const now = Date.now()
  const query = { from: dayOf(now - DAY_MS), to: dayOf(now) }
  await recorder.call(admin, 'GET /admin/summary', { query })
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

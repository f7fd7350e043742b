import { textAt } from '../read-value.ts'
import { ADDRESS, buy, client, register, shirtInStock, type StepContext } from './context.ts'

/** What a merchant does with customers, and with guests. */
export async function serveCustomers(context: StepContext): Promise<void> {
  const { recorder, admin } = context
  await serveGuest(context)
  const customers = await recorder.call(admin, 'GET /admin/customers', { query: { q: 'ada', per_page: '2' } })
  await recorder.call(admin, 'GET /admin/customers/{id}', { path: { id: textAt(customers, 'items', 0, 'id') } })
  const leaving = await register(context, 'leaving@example.com')
  const path = { id: textAt(await recorder.peek(leaving, 'GET /me', {}), 'id') }
  await recorder.call(admin, 'GET /admin/customers/{id}/export', { path })
  await recorder.call(admin, 'DELETE /admin/customers/{id}', { path })
}

async function serveGuest(context: StepContext): Promise<void> {
  const { recorder, admin } = context
  await buy(context, client(), 'mary@example.com', 1)
  const found = await recorder.call(admin, 'GET /admin/buyers', { query: { q: 'mary', sort: 'revenue' } })
  const path = { id: textAt(found, 'items', 0, 'id') }
  await recorder.call(admin, 'PATCH /admin/buyers/{id}', { path, body: { tags: ['VIP'] } })
  const notes = 'POST /admin/buyers/{id}/notes'
  await recorder.call(admin, notes, { path, body: { text: 'Prefers a call in the evening.' } })
  const mistake = await recorder.peek(admin, notes, { path, body: { text: 'About another buyer.' } })
  const note = { ...path, noteId: textAt(mistake, 'id') }
  await recorder.call(admin, 'DELETE /admin/buyers/{id}/notes/{noteId}', { path: note })
  await recorder.call(admin, 'GET /admin/buyers/{id}', { path })
  const lines = [{ variantId: await shirtInStock(context), quantity: 1 }]
  const draft = { lines, email: 'mary@example.com', shippingAddress: ADDRESS, note: 'Calls back on Monday.' }
  await recorder.peek(admin, 'POST /admin/draft-orders', { body: draft })
  await recorder.call(admin, 'GET /admin/buyers/{id}/export', { path })
  await recorder.call(admin, 'DELETE /admin/buyers/{id}', { path })
}

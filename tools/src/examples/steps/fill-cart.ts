import { textAt } from '../read-value.ts'
import { shirtInStock, client, type StepContext } from './context.ts'

/** A cart from its first line to its last. */
export async function fillCart(context: StepContext): Promise<void> {
  const { recorder } = context
  const caller = client()
  const id = textAt(await recorder.call(caller, 'POST /carts', { body: { fresh: true } }), 'id')
  const lineOf = (cart: unknown) => ({ id, lineId: textAt(cart, 'lines', 0, 'id') })
  const body = { variant_id: await shirtInStock(context), quantity: 2 }
  const filled = await recorder.call(caller, 'POST /carts/{id}/lines', { path: { id }, body })
  await recorder.call(caller, 'PATCH /carts/{id}/lines/{lineId}', { path: lineOf(filled), body: { quantity: 3 } })
  await recorder.call(caller, 'POST /carts/{id}/discount', { path: { id }, body: { code: 'WELCOME10' } })
  const query = { country: 'GB', shipping_method: 'express' }
  await recorder.call(caller, 'GET /carts/{id}', { path: { id }, query })
  await recorder.call(caller, 'DELETE /carts/{id}/lines/{lineId}', { path: lineOf(filled) })
  await recorder.call(caller, 'POST /carts/{id}/lines', { path: { id }, body })
  await recorder.call(caller, 'DELETE /carts/{id}/lines', { path: { id } })
}
